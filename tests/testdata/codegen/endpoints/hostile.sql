SELECT
  @class AS `class`, @constructor AS `constructor`, @to AS `std`, @Timestamp AS `Timestamp`, @int64 AS `int64_t`,
  @cursor AS `linux`, 1 AS `__proto__`, 2 AS `weird name`, 3 AS `weird-name`, 4 AS `EOF`, 5 AS `2xx`, 6 AS `*/ "\\`,
  @ClassQuotedXTo AS `ClassQuotedXRow`, 10 AS `ClassQuotedXRowNamespace`,
  STRUCT(7 AS `union`, 8, 9) AS `namespace`
