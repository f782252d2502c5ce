"""How much do a RAG application's answers degrade when noise gets into its context? Not yet whole."""
