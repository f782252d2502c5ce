"""Claims without a value: yes or no, who pays, which of two, what is recommended or forbidden."""
