"""The swappable parts of ranking: semantic, judge, keyword, and the profile of an encoder."""
