// One field stands on a line of its own, so that its place in the message is known.
#include "tests/engines/option_checks.h"

#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "tests/support/has.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kTables[] = R"("tables": {"events": {"table": "t"}})";

}  // namespace

std::string OptionChecks::Message(const std::string& json) const {
  const absl::Status status = options_.read(json);
  CHECK((status.ok() || absl::IsInvalidArgument(status)));
  return std::string(base::Message(status));
}

std::string OptionChecks::Needed(const std::string& omitted) const {
  std::string needed;
  for (const auto& [field, value] : options_.needed) {
    if (field != omitted) base::StrAppend(&needed, "\"", field, "\": ", value, ", ");
  }
  return needed;
}

std::string OptionChecks::MessageAt(const std::string& place, const std::string& json) const {
  const std::string message = Message(json);
  const std::string before = StrCat(options_.title, "'s options at ", place, ": ");
  return message.starts_with(before) ? message.substr(before.size()) : message;
}

std::string OptionChecks::With(const std::string& field) const {
  return MessageAt("line 2, column 2", StrCat("{", Needed(), kTables, ",\n ", field, "}"));
}

std::string OptionChecks::WithTables(const std::string& tables) const {
  return MessageAt("line 2, column 1", StrCat("{", Needed(), "\n\"tables\": ", tables, "}"));
}

void OptionChecks::CheckAll() const {
  CHECK(Message(StrCat("{", Needed(), kTables, "}")).empty());
  CHECK(Has(Message(""), "not JSON"));
  CHECK(Message("{").starts_with(StrCat(options_.title, "'s options: not JSON at line 1, column 2")));
  CHECK(Message("[]") == StrCat(options_.title, "'s options at line 1, column 1: must be an object, is []"));
  CheckFields();
  CheckSecrets();
  CheckTables();
}

void OptionChecks::CheckFields() const {
  for (const auto& [field, value] : options_.needed) {
    CAPTURE(field);
    const std::string message = Message(StrCat("{", Needed(field), kTables, "}"));
    CAPTURE(message);
    CHECK((Has(message, StrCat(field, " is missing")) || Has(message, StrCat(field, " must be "))));
  }
  CHECK(Has(Message(StrCat("{", Needed(), "\"engine\": \"", options_.engine, "\"}")), "tables"));
  CHECK(With(R"("engine": "another")") == StrCat("engine must be \"", options_.engine, "\""));
  CHECK(With(R"("no_such": 5)").starts_with("no_such is not a field; known are engine, "));
  CHECK(With(R"("schema_file": "/no/such")") == "schema_file names the file /no/such, which is not there");
  CHECK(With(R"("memory_limit_mb": 63)") == "memory_limit_mb must be a whole number from 64 to 16777216, is 63");
}

void OptionChecks::CheckSecrets() const {
  const auto with = [this](const std::string& value) { return With(StrCat("\"", options_.secret, "\": ", value)); };
  const std::string& secret = options_.secret;
  // The message never has the secret itself.
  CHECK(with("\"open\"") ==
        StrCat(secret, R"( is a secret and not written here: name it as {"file": PATH} or {"env": NAME})"));
  CHECK(with("{}") == StrCat(secret, R"( must have one of "file" and "env")"));
  CHECK(with(R"({"file": "a", "env": "b"})") == StrCat(secret, R"( must have one of "file" and "env")"));
  CHECK(with(R"({"fiel": "a"})") == StrCat(secret, ".fiel is not a field; known are file, env; did you mean file?"));
  CHECK(with(R"({"env": "LOGQUERY_NOT_SET"})") ==
        StrCat(secret, " names the environment variable LOGQUERY_NOT_SET, which is not set"));
}

void OptionChecks::CheckTables() const {
  CHECK(WithTables("{}") == "tables must be an object with at least one table");
  CHECK(WithTables(R"({"e": {}})") == "tables.e.table is missing");
  CHECK(WithTables(R"({"e": 5})") == "tables.e must be an object, is 5");
  CHECK(WithTables(R"({"e": {"table": "t", "columns": {"a": 5}}})") ==
        "tables.e.columns must be an object of strings, is an object");
  CHECK(WithTables(R"({"e": {"table": "t", "bdoy": "b"}})").starts_with("tables.e.bdoy is not a field; known are "));
}

}  // namespace logquery::testing
