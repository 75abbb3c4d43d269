select '-- no comment' as text, 1 as n -- a comment
