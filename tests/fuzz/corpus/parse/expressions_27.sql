select 'it''s', 'a' 'b', "say ""hi""", '\n\t\'', '\u00e9'
