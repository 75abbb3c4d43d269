// Checks that every engine's options are refused by name, with their place and a valid form.
//
//     const OptionChecks checks({"postgres", "PostgreSQL", "password", {{"host", "h"}, …}, ReadOptions});
//     checks.CheckAll();
//     CHECK(checks.With(R"("port": 0)") == "port must be a whole number from 1 to 65535, is 0");
#ifndef LOGQUERY_TESTS_ENGINES_OPTION_CHECKS_H_
#define LOGQUERY_TESTS_ENGINES_OPTION_CHECKS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace logquery::testing {

struct OptionsUnderTest {
  std::string engine;  // the value of "engine"
  std::string title;   // the engine's name in messages
  std::string secret;  // the field of a secret
  // The fields that must be given besides tables, with valid values in JSON.
  std::vector<std::pair<std::string, std::string>> needed;
  std::function<absl::Status(const std::string& json)> read;
};

class OptionChecks {
 public:
  explicit OptionChecks(OptionsUnderTest options) : options_(std::move(options)) {}

  // Checks the errors that do not depend on the engine.
  void CheckAll() const;

  // Returns the message on valid options with one more field, without the engine and the place; "" if they are accepted. A
  // message with another place is returned whole.
  std::string With(const std::string& field) const;
  // The same for another value of "tables".
  std::string WithTables(const std::string& tables) const;

 private:
  std::string Message(const std::string& json) const;
  // Returns the needed fields but for one, each followed by a comma.
  std::string Needed(const std::string& omitted = "") const;
  std::string MessageAt(const std::string& place, const std::string& json) const;
  void CheckFields() const;
  void CheckSecrets() const;
  void CheckTables() const;

  const OptionsUnderTest options_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_OPTION_CHECKS_H_
