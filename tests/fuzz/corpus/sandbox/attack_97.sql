create table x as select 1
