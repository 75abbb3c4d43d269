// Rows of the services behind the gateway: database, auth, realtime, storage, REST layer and connection pooler.
#include <array>
#include <string>
#include <string_view>

#include "shim/cli/folder/sample/sample_rows.h"

namespace logquery::shim {
namespace {

struct DatabaseEvent {
  std::string_view severity, code, tag, message, detail, hint, query;
};

const Weighted<DatabaseEvent>& DatabaseEvents() {
  static const auto* const events = new Weighted<DatabaseEvent>{
      {{"LOG", "00000", "", "checkpoint starting: time", "", "", ""}, 14},
      {{"LOG", "00000", "SELECT", "connection authorized: user=authenticator database=postgres SSL enabled", "", "",
        ""},
       30},
      {{"LOG", "00000", "", "duration: 1204.511 ms  statement: select count(*) from messages", "", "", ""}, 8},
      {{"ERROR", "42P01", "SELECT", R"(relation \"public.größen\" does not exist)", "",
        "Perhaps you meant to reference the table \\\"public.groessen\\\".", "select * from größen"},
       9},
      {{"ERROR", "23505", "INSERT", R"(duplicate key value violates unique constraint \"users_email_key\")",
        "Key (email)=(mira.okafor@example.org) already exists.", "", "insert into users (email) values ($1)"},
       8},
      {{"ERROR", "57014", "SELECT", "canceling statement due to statement timeout", "", "",
        "select o.*, c.* from orders o cross join customers c"},
       4},
      {{"WARNING", "01000", "", "there is no transaction in progress", "", "", ""}, 5},
      {{"FATAL", "28P01", "authentication", R"(password authentication failed for user \"postgres\")",
        R"(Connection matched pg_hba.conf line 95: \"host all all 0.0.0.0/0 scram-sha-256\")", "", ""},
       4},
      {{"PANIC", "53100", "", "could not write to file \\\"pg_wal/xlogtemp.112\\\": No space left on device", "", "",
        ""},
       1}};
  return *events;
}

constexpr std::array<std::string_view, 4> kDatabaseUsers = {"postgres", "authenticator", "service_admin", "pgbouncer"};

void AppendIfThere(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) Append(out, ",\"", key, "\":\"", text, "\"");
}

void AppendParsed(const SampleRow& row, const DatabaseEvent& event) {
  std::string& out = row.out;
  Append(out, R"(,"parsed":{"backend_type":"client backend")");
  AppendIfThere(out, "command_tag", event.tag);
  Append(out, R"(,"connection_from":")", SampleAddress(row.random), ":", row.random.Between(1'025, 65'535),
         R"(","database_name":"postgres","error_severity":")", event.severity, R"(","process_id":)",
         row.random.Between(100, 99'999), R"(,"query_id":)", row.random.Next() >> 2, R"(,"session_id":")",
         Hex{row.random.Next(), 8}, ".", Hex{row.random.Next(), 4}, R"(","session_line_num":)",
         row.random.Between(1, 400));
  Append(out, R"(,"session_start_time":")", row.time.second(), R"( UTC","sql_state_code":")", event.code,
         R"(","timestamp":")", row.time.milli(), R"( UTC","transaction_id":)", row.random.Below(1 << 20),
         R"(,"user_name":")", row.random.Pick(kDatabaseUsers), R"(","virtual_transaction_id":")", row.random.Below(40),
         "/", row.random.Below(1 << 20), "\"");
  AppendIfThere(out, "detail", event.detail);
  AppendIfThere(out, "hint", event.hint);
  AppendIfThere(out, "query", event.query);
  Append(out, "}");
}

struct AuthCall {
  std::string_view path, method, action, message;
};

constexpr std::array<AuthCall, 6> kAuthCalls = {{{"/token", "POST", "login", "request completed"},
                                                 {"/user", "GET", "", "request completed"},
                                                 {"/signup", "POST", "user_signedup", "request completed"},
                                                 {"/otp", "POST", "", "One-time token not found"},
                                                 {"/logout", "POST", "logout", "request completed"},
                                                 {"/health", "GET", "", "request completed"}}};
constexpr std::array<std::string_view, 5> kPeople = {"mira.okafor", "jürgen.weiß", "li.na", "s.o-brien", "zoë.dupont"};

void AppendAuthEvent(const SampleRow& row, const AuthCall& call, std::string_view person) {
  Append(row.out, R"(,"auth_event":{"action":")", call.action, R"(","actor_id":")", row.NewUuid(),
         R"(","actor_username":")", person, R"(@example.org","actor_via_sso":)", row.random.OneIn(9) ? "true" : "false",
         R"(,"log_type":"account","traits":{"provider":")", row.random.OneIn(3) ? "google" : "email",
         R"(","user_email":")", person, R"(@example.org"}})");
}

struct RealtimeEvent {
  std::string_view level, message;
};

const Weighted<RealtimeEvent>& RealtimeEvents() {
  static const auto* const events =
      new Weighted<RealtimeEvent>{{{"info", "Subscribed to channel realtime:room:"}, 50},
                                  {{"info", "Tenant has no connected users, shutting down poller → "}, 10},
                                  {{"warning", "Slow subscriber, messages dropped: "}, 5},
                                  {{"error", R"(Subscribing to PostgreSQL failed: {:error, \"filter id=eq.\"} )"}, 20},
                                  {{"error", "ClientJoinRateLimitReached: too many joins per second: "}, 5}};
  return *events;
}

// Everything but the edge gateway and functions has these around its metadata.
void BeginMetadata(const SampleRow& row, bool project_column) {
  Append(row.out, "\"");
  if (project_column) Append(row.out, R"(,"project":")", row.ref(), "\"");
  Append(row.out, R"(,"metadata":)");
}

}  // namespace

void AppendPostgresRow(const SampleRow& row) {
  const DatabaseEvent& event = DatabaseEvents().Pick(row.random);
  row.Begin();
  Append(row.out, event.message);
  BeginMetadata(row, true);
  Append(row.out, R"({"host":"db-)", row.ref(), "\"");
  if (!row.random.OneIn(100)) AppendParsed(row, event);
  Append(row.out, "}}\n");
}

void AppendAuthRow(const SampleRow& row) {
  const AuthCall& call = row.random.Pick(kAuthCalls);
  const std::string address = SampleAddress(row.random);
  const std::string_view level = row.random.OneIn(12) ? "error" : "info";
  const int status = level == "error" ? 422 : 200;
  row.Begin();
  Append(row.out, R"({\"component\":\"api\",\"level\":\")", level, R"(\",\"method\":\")", call.method,
         R"(\",\"msg\":\")", call.message, R"(\",\"path\":\")", call.path, R"(\",\"remote_addr\":\")", address,
         R"(\",\"status\":)", status, "}");
  BeginMetadata(row, true);
  Append(row.out, R"({"component":"api","duration":")", row.random.Skewed(9'000'000, 4), R"(","host":"db-)", row.ref(),
         R"(","level":")", level, R"(","method":")", call.method, R"(","msg":")", call.message, R"(","path":")",
         call.path, R"(","remote_addr":")", address, R"(","request_id":")", row.NewUuid(), R"(","status":")", status,
         R"(","timestamp":")", row.time.second(), "Z\"");
  if (!call.action.empty()) AppendAuthEvent(row, call, row.random.Pick(kPeople));
  Append(row.out, "}}\n");
}

void AppendRealtimeRow(const SampleRow& row) {
  const RealtimeEvent& event = RealtimeEvents().Pick(row.random);
  row.Begin();
  Append(row.out, event.message, row.random.Below(900));
  BeginMetadata(row, false);
  Append(row.out, R"({"context":{"application":"realtime","domain":["elixir"],"file":"lib/realtime_web/channels/)",
         R"(realtime_channel.ex","function":"handle_info/2","gl":"<0.)", row.random.Between(1'000, 9'000),
         R"(.0>","line":)", row.random.Between(80, 400),
         R"(,"mfa":["Elixir.RealtimeWeb.RealtimeChannel","handle_info","2"],)",
         R"("module":"Elixir.RealtimeWeb.RealtimeChannel","pid":"<0.)", row.random.Below(20'000),
         R"(.0>","vm":{"node":"realtime@fdaa:0:cc:)", Hex{row.random.Next(), 3}, R"(:bada:5:2795:2"}},"external_id":")",
         row.ref(), R"(","level":")", event.level, R"(","project":")", row.ref(), "\"}}\n");
}

void AppendStorageRow(const SampleRow& row) {
  static const auto* const statuses = new Weighted<int>{{200, 80}, {304, 8}, {400, 6}, {404, 5}, {500, 1}};
  row.Begin();
  Append(row.out, "GET | ", statuses->Pick(row.random), " | ", Hex{row.random.Next(), 16}, " | ",
         SampleAddress(row.random), " | /object/public/avatars/", row.random.Below(5'000), ".webp");
  BeginMetadata(row, false);
  Append(row.out, R"({"context":{"host":"ip-10-105-)", row.random.Below(256), "-", row.random.Below(256),
         R"(.internal","pid":)", row.random.Between(1, 8), R"(},"level":"info","project":")", row.ref(),
         R"(","reqId":")", Hex{row.random.Next(), 16}, R"(","tenantId":")", row.ref(), "\"}}\n");
}

void AppendPostgrestRow(const SampleRow& row) {
  row.Begin();
  Append(row.out, row.random.OneIn(5) ? "Schema cache reloaded" : "Attempting to connect to the database…");
  BeginMetadata(row, true);
  Append(row.out, R"({"host":"db-)", row.ref(), "\"}}\n");
}

void AppendPgbouncerRow(const SampleRow& row) {
  row.Begin();
  Append(row.out, "C-0x", Hex{row.random.Next(), 12}, ": postgres/postgres@", SampleAddress(row.random), ":",
         row.random.Between(1'025, 65'535), " closing because: client close request (age=", row.random.Below(300),
         "s)");
  BeginMetadata(row, true);
  Append(row.out, R"({"host":"db-)", row.ref(), "\"}}\n");
}

}  // namespace logquery::shim
