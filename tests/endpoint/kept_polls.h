// Random queries that are repeated with bounds that move.
#ifndef LOGQUERY_TESTS_ENDPOINT_KEPT_POLLS_H_
#define LOGQUERY_TESTS_ENDPOINT_KEPT_POLLS_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace logquery {

inline constexpr int64_t kSecond = 1'000'000;
inline constexpr int64_t kHour = 3'600 * kSecond;
inline constexpr int64_t kNow = 1'772'600'767 * kSecond;  // 2026-03-04 05:06:07
inline constexpr char kLog[] = "cloudflare.logs.prod";

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  int64_t Below(int64_t end) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(end)); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  const char* Of(const std::vector<const char*>& texts) {
    return texts[static_cast<size_t>(Below(static_cast<int64_t>(texts.size())))];
  }

 private:
  std::mt19937_64 random_;
};

// Queries whose answer the query determines: those with several rows sort them by all of their columns, or by the time
// and the id. `%` is the condition on time, with up to two bounds.
inline const std::vector<const char*> kQueries = {
    "SELECT t.id, t.timestamp, t.event_message FROM logs AS t WHERE t.project = @project % ORDER BY t.timestamp DESC, "
    "t.id LIMIT 5",
    "SELECT t.id, t.timestamp, t.event_message FROM logs AS t WHERE t.project = @project % AND t.event_message LIKE "
    "'%1' ORDER BY t.timestamp DESC, t.id LIMIT 100",
    "SELECT t.timestamp, t.id FROM logs AS t WHERE t.project = @project % ORDER BY t.timestamp DESC, t.id",
    "SELECT COUNT(*) AS n, MIN(t.timestamp) AS a, MAX(t.timestamp) AS b FROM logs AS t WHERE t.project = @project %",
    "SELECT COUNT(*) AS n, COUNT(t.event_message) AS m FROM logs AS t WHERE t.event_message IS NULL %",
    "SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS hour, COUNT(*) AS n FROM logs AS t WHERE t.project = @project % "
    "GROUP "
    "BY hour ORDER BY hour",
    "SELECT t.project, COUNT(*) AS n FROM logs AS t WHERE TRUE % GROUP BY t.project ORDER BY t.project",
    "SELECT a.project, b.n FROM (SELECT DISTINCT t.project FROM logs AS t WHERE t.project = @project %) AS a CROSS "
    "JOIN "
    "(SELECT COUNT(*) AS n FROM logs AS t WHERE t.project = 'b' %) AS b ORDER BY 1",
    "SELECT COUNT(*) AS n FROM logs AS t WHERE t.project = @project % AND t.id IN (SELECT u.id FROM logs AS u WHERE "
    "u.project = 'c')",
    "SELECT @start AS start, COUNT(*) AS n FROM logs AS t WHERE t.project = @project %",
    "SELECT t.id FROM logs AS t WHERE t.project = @project % ORDER BY t.timestamp DESC, t.id LIMIT 3 OFFSET 1",
    "SELECT COUNT(DISTINCT t.event_message) AS n, SUM(LENGTH(t.id)) AS s FROM logs AS t WHERE t.project = @project % "
    "HAVING n > 1",
};
// Groups by stretches of time, of which those that change are computed anew.
inline const std::vector<const char*> kGroupQueries = {
    "SELECT TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS minute, COUNT(*) AS n, COUNTIF(t.event_message = 'm1') AS m, "
    "MIN(t.id) AS a, MAX(t.timestamp) AS b FROM logs AS t WHERE t.project = @project % GROUP BY minute ORDER BY minute",
    "SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS hour, t.event_message AS m, COUNT(DISTINCT t.id) AS n FROM logs AS t "
    "WHERE t.project = @project % GROUP BY hour, m ORDER BY hour DESC, m",
    "SELECT t.project AS p, TIMESTAMP_TRUNC(t.timestamp, DAY) AS day, SUM(LENGTH(t.id)) AS s, AVG(LENGTH(t.id)) AS v "
    "FROM logs AS t WHERE TRUE % GROUP BY p, day HAVING s > 3 ORDER BY day, p",
    "SELECT SUM(n) AS n, MAX(hour) AS h, COUNTIF(n > 1) AS c FROM (SELECT TIMESTAMP_TRUNC(t.timestamp, SECOND) AS "
    "hour, "
    "COUNT(*) AS n FROM logs AS t WHERE t.project = @project % GROUP BY hour)",
    "SELECT h, IFNULL(n, 0) AS n FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP_TRUNC(@start, HOUR), @end, INTERVAL 1 "
    "HOUR)) AS h LEFT JOIN (SELECT CASE WHEN @project = 'a' THEN TIMESTAMP_TRUNC(t.timestamp, HOUR) ELSE "
    "TIMESTAMP_TRUNC(t.timestamp, DAY) END AS hour, COUNT(*) AS n FROM logs AS t WHERE t.project = @project % GROUP BY "
    "hour) AS g ON g.hour = h ORDER BY h",
    "SELECT TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS minute, APPROX_QUANTILES(LENGTH(t.id), 100)[OFFSET(95)] AS q, "
    "MIN(t.timestamp) AS a FROM logs AS t WHERE t.project = @project % GROUP BY minute ORDER BY minute",
    "SELECT DATE(t.timestamp) AS day, COUNT(*) AS n, MAX(t.id) AS i FROM logs AS t WHERE t.project = @project % GROUP "
    "BY "
    "day ORDER BY day",
    "SELECT DATETIME(TIMESTAMP_TRUNC(t.timestamp, MINUTE), 'UTC') AS minute, COUNTIF(ENDS_WITH(t.id, '1')) AS n FROM "
    "logs AS t "
    "WHERE t.project = @project % GROUP BY 1 ORDER BY 1",
    "SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS hour, t.project AS p, SUM(LENGTH(t.event_message)) AS s, "
    "MIN(t.timestamp) AS a, MAX(LENGTH(t.id)) AS b, LOGICAL_AND(t.event_message = 'm1') AS c, "
    "LOGICAL_OR(t.event_message "
    "= 'm2') AS d, COUNT(t.event_message) AS n FROM logs AS t WHERE t.project IN (@project, 'b') % GROUP BY hour, p "
    "ORDER BY hour, p",
    "SELECT t.timestamp AS at, COUNT(*) AS n FROM logs AS t WHERE t.project = @project % AND t.event_message IS NOT "
    "NULL "
    "GROUP BY at ORDER BY at DESC LIMIT 7",
};
// In ClickHouse SQL, whose table has the project's rows between both bounds: the newest, groups, and rows of all logs.
inline const std::vector<const char*> kClickHouseQueries = {
    "SELECT id, timestamp, event_message FROM logs WHERE source = 'edge_logs' ORDER BY timestamp DESC, id LIMIT 5",
    "SELECT timestamp AS at, id, log_attributes['field1'] AS f FROM logs WHERE source = 'edge_logs' AND event_message "
    "LIKE '%1' ORDER BY timestamp DESC, id LIMIT 100",
    "SELECT toStartOfMinute(timestamp) AS minute, count() AS n, countIf(event_message = 'm1') AS m, avg(length(id)) AS "
    "a, "
    "max(timestamp) AS b FROM logs WHERE source = 'edge_logs' GROUP BY minute ORDER BY minute",
    "SELECT toStartOfInterval(timestamp, INTERVAL 7 MINUTE) AS at, sum(length(id)) AS n FROM logs WHERE source = "
    "'edge_logs' GROUP BY at ORDER BY at",
    "SELECT toStartOfHour(timestamp) AS hour, event_message AS m, uniqExact(id) AS n FROM logs WHERE source = "
    "'edge_logs' GROUP BY hour, m ORDER BY hour, m",
    "SELECT source, count() AS n FROM logs GROUP BY source ORDER BY source",
};
inline const std::vector<const char*> kBounds = {
    "",
    "AND t.timestamp > @start",
    "AND t.timestamp >= @start",
    "AND t.timestamp > @start AND t.timestamp <= @end",
    "AND t.timestamp >= @start AND t.timestamp < @end",
    "AND @end > t.timestamp AND t.timestamp BETWEEN @start AND @end",
    "AND t.timestamp <= CURRENT_TIMESTAMP()",
    "AND t.timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 10 MINUTE) AND t.timestamp <= CURRENT_TIMESTAMP()",
    "AND (t.timestamp > @start OR t.event_message = 'm1')",
};

inline std::string Replaced(std::string text, const std::string& what) {
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + what.size())) {
    if (text.compare(at, 2, "%1") == 0) return text.replace(0, at, Replaced(text.substr(0, at), what));
    text.replace(at, 1, what);
  }
  return text;
}

struct Poll {
  std::string sql;
  bool clickhouse = false;  // it is ClickHouse SQL
  const char* project = "a";
  bool scoped = false;  // by a token of the project
  int64_t back = 0;     // how far before the clock its bounds are
  int64_t ahead = 0;
  int64_t step = 1;  // its bounds are multiples of it
};

inline Poll MakePoll(Dice& dice) {
  Poll poll;
  // Some are for the newest rows from a start on, which new rows are merged with, and some for groups, mostly with a start.
  const bool newest = dice.OneIn(3), groups = !newest && dice.OneIn(2);
  const char* const query = newest   ? kQueries[dice.OneIn(3) ? 1 : 0]
                            : groups ? dice.Of(kGroupQueries)
                                     : dice.Of(kQueries);
  const bool rolling = newest || (groups && !dice.OneIn(4));
  poll.sql = Replaced(query, rolling ? kBounds[static_cast<size_t>(dice.Below(newest ? 3 : 5))] : dice.Of(kBounds));
  poll.project = dice.Of({"a", "b", "c", "d", "nobody"});
  poll.scoped = dice.OneIn(3);
  poll.back = dice.OneIn(3) ? 30 * kHour : dice.Below(600) * kSecond;
  poll.ahead = (dice.Below(200) - 100) * kSecond;
  poll.step = dice.OneIn(groups ? 5 : 2) ? 60 * kSecond : 1;
  // By a dice of its own, so that the other polls of a seed stay as they are.
  poll.clickhouse = Dice(static_cast<uint64_t>(poll.back + poll.ahead + poll.step)).OneIn(8);
  if (poll.clickhouse) poll.sql = dice.Of(kClickHouseQueries);
  return poll;
}

}  // namespace logquery

#endif  // LOGQUERY_TESTS_ENDPOINT_KEPT_POLLS_H_
