// Each query is asked with each of the keys that an engine sorts and groups by.
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "tests/support/meaning_cases.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// The table, joined with the record if the key or condition is of the record.
std::string Table(std::string_view text, std::string_view join) {
  return text.find("{m") == std::string::npos ? "v" : StrCat("v ", join, " join unnest(m) as r");
}

// Sorted and limited rows, groups and aggregates, numbers of rows, and joins. K stands for one of the keys; {v} for the table,
// with the record m as r where the key is of it.
const std::vector<std::string>& MeaningQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select i from {v} order by K, i limit 30",
      "select i from {v} order by K desc, i desc limit 30",
      "select i from {v} order by K desc, i limit 5 offset 3",
      "select K as k, count(*) as c, count(s) as cs, countif(n > 0) as p, max(i) as m from {v} group by 1 order by m",
      "select min(K) as a, max(K) as b, count(K) as c, count(distinct K) as d from {v}",
      "select count(K) as a, count(distinct K) as b, countif(K is null) as c from {v}",
      "select min(K) as a, max(K) as b, count(K) as c, count(distinct K) as d, countif(K is null) as e from {v} "
      "where i < 0",
      "select min(K) as a, count(*) as c from {v} where i < 0 group by s",
      "select approx_count_distinct(K) as c from {v}",
      "select distinct K as k from {v} order by k limit 100",
      "select K as k, count(*) as c from {v} group by 1 having count(*) > 1 order by k limit 9",
      "select K as k, if(count(*) > 1, count(*), -1) as c from {v} group by 1 order by c, k limit 9",
      "select i from {v} qualify row_number() over (partition by K order by i desc) = 1 order by i",
      "select i, rank() over (order by K, s) as a, dense_rank() over (partition by s order by K desc) as b from {v} "
      "order by i",
      "select i from {v} qualify rank() over (order by K desc nulls first) <= 5 order by i",
      "select p.i as a, q.c as b from (select i, K as k from {v}) as p join (select K as k, count(*) as c from {v} "
      "group "
      "by 1) as q on p.k = q.k order by a",
      "select p.i as a, q.k as b, q.c as c from (select i, K as k from {v}) as p left join (select K as k, max(i) as c "
      "from {v} where i > 9 group by 1) as q on p.k = q.k order by a",
      "select q.k as k, count(*) as c, max(q.c) as d from (select i, K as k from {v} where i < 20) as p join (select K "
      "as k, min(i) as c from {v} group by 1) as q on p.k = q.k group by 1 order by c, d limit 9"};
  return queries;
}

// A query of `form` with that key.
std::string MeaningQuery(const std::string& form, const std::string& key) {
  return absl::StrReplaceAll(form, {{"K", key}, {"{v}", Table(key, "cross")}});
}

// Aggregates of numbers, whose range is checked here in part, and of BOOL.
const std::vector<std::string>& NumberQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select sum(K) as s, avg(K) as a, sum(distinct K) as sd, avg(distinct K) as ad, count(*) as c from {v} where K < "
      "9007199254740993",
      "select avg(K) as a from {v}",
      "select s, sum(K) as t, avg(K) as a, min(K) as m from {v} group by s order by s nulls first",
      "select sum(K) as t, avg(K) as a from {v} where i < 0",
      "select sum(K) as t from {v} where i < 0 group by s",
      "select sum(K) as t from {v} where K > 5 or K < -5",
      "select s, sum(K) as t from {v} where K > 5 group by s having sum(K) > 1 order by t limit 1",
      "select bit_and(K) as a, bit_or(K) as o from {v} where K < 1000",
      "select bit_and(K) as a, bit_or(K) as o from {v} where i < 0"};
  return queries;
}

const std::vector<std::string>& BoolQueries() {
  static const auto& queries =
      *new std::vector<std::string>{"select logical_and(K) as a, logical_or(K) as o from {v}",
                                    "select logical_and(K) as a, logical_or(K) as o from {v} where i < 0",
                                    "select s, logical_and(K) as a, logical_or(K) as o from {v} group by s order by s"};
  return queries;
}

const std::vector<std::string>& QuantileQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select approx_quantiles(K, 4)[offset(0)] as q from {v}",
      "select approx_quantiles(K, 4)[offset(1)] as q, approx_quantiles(K, 4)[offset(4)] as r from {v}",
      "select approx_quantiles(K, 100)[offset(7)] as q, approx_quantiles(K, 100)[offset(95)] as r from {v}",
      "select approx_quantiles(K, 7)[safe_ordinal(3)] as q, count(K) as c from {v} where i < 0",
      "select s, approx_quantiles(K, 2)[offset(1)] as q from {v} group by s order by s"};
  return queries;
}

void AddQueries(const std::vector<std::string>& forms, const std::vector<std::string>& keys,
                std::vector<std::string>& out) {
  for (const std::string& key : keys) {
    for (const std::string& form : forms) out.push_back(MeaningQuery(form, key));
  }
}

void AddValues(const std::vector<std::string>& values, std::vector<std::string>& out) {
  for (const std::string& value : values) {
    out.push_back(StrCat("select i, ", value, " as x from ", Table(value, "left"), " order by i"));
  }
}

}  // namespace

std::vector<std::string> PostgresQueries() {
  const std::vector<std::string> keys = {"{s}", "{n}",  "{t}",  "{d}",  "{dt}",
                                         "{b}", "{ms}", "{mn}", "{mb}", "timestamp_trunc({t}, hour)"};
  std::vector<std::string> queries;
  AddQueries(MeaningQueries(), keys, queries);
  AddQueries(QuantileQueries(), keys, queries);
  AddQueries(NumberQueries(), {"{n}", "{mn}"}, queries);
  AddQueries(BoolQueries(), {"{b}", "{mb}"}, queries);
  AddValues(PostgresValues(), queries);
  return queries;
}

std::vector<std::string> ClickHouseQueries() {
  std::vector<std::string> queries;
  AddQueries(MeaningQueries(),
             {"{s}", "{n}", "{t}", "{d}", "{dt}", "{ms}", "{mn}", "{b}", "timestamp_trunc({t}, hour)"}, queries);
  AddQueries(QuantileQueries(), {"{n}", "{t}", "{dt}", "{mn}"}, queries);
  AddQueries(NumberQueries(), {"{n}", "{mn}"}, queries);
  AddQueries({"select bit_xor(K) as x, count(*) as c from {v}", "select bit_xor(K) as x from {v} where i < 0"}, {"{n}"},
             queries);
  AddQueries(BoolQueries(), {"{b}"}, queries);
  AddValues(ClickHouseValues(), queries);
  return queries;
}

std::string MeaningQuery(const std::string& condition) {
  return StrCat("select i from ", Table(condition, "left"), " where ", condition, " order by i");
}

}  // namespace logquery::testing
