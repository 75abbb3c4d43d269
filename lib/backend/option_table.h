// Reads the options of an engine from JSON fields by a table: each row has an option's name, how it is written and the member
// that it sets. Whatever is not a row is rejected by JsonFields::RefuseOthers.
//
//     constexpr OptionRow<ClickHouseOptions> kOptions[] = {
//         {"user", &ClickHouseOptions::user, Written::kRequired},
//         {"connections", &ClickHouseOptions::max_connections, Written::kValue, {1, 1'000}},
//     };
//     ReadOptions<ClickHouseOptions>(kOptions, fields, folder, options);
#ifndef LOGQUERY_LIB_BACKEND_OPTION_TABLE_H_
#define LOGQUERY_LIB_BACKEND_OPTION_TABLE_H_

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "lib/backend/engine_options.h"
#include "lib/base/json_fields.h"

namespace logquery::backend {

// How an option is written.
enum class Written {
  kValue,      // the value itself; absent: the member keeps its value
  kRequired,   // the same, but it must be there
  kPath,       // a path, resolved against the file's folder
  kFile,       // a path, as above; the member is set to the file's text
  kSecret,     // the place of a secret, as ReadSecret has it
  kMegabytes,  // a number of megabytes; the member is in bytes
};

inline constexpr int64_t kMostInteger = std::numeric_limits<int64_t>::max();
inline constexpr base::JsonFields::Range kFromOne = {1, kMostInteger};
inline constexpr base::JsonFields::Range kMilliseconds = {1, 86'400'000};  // up to a day

template <typename Options>
struct OptionRow {
  const char* name;
  std::variant<std::string Options::*, std::vector<std::string> Options::*,
               std::map<std::string, std::string> Options::*, bool Options::*, int Options::*, int64_t Options::*,
               absl::Duration Options::*>
      sets;
  Written written = Written::kValue;
  base::JsonFields::Range range = {};  // of numbers; of a duration in milliseconds
};

inline std::string ReadText(base::JsonFields& fields, const char* name, Written written, const std::string& folder,
                            const std::string& fallback) {
  switch (written) {
    case Written::kRequired:
      return fields.Text(name);
    case Written::kPath:
      return ReadPath(fields, name, folder);
    case Written::kFile:
      return ReadNamedFile(fields, name, folder);
    case Written::kSecret:
      return ReadSecret(fields, name, folder);
    case Written::kValue:
    case Written::kMegabytes:
      break;
  }
  return fields.Text(name, fallback);
}

// The member's type decides what the field may be: a string, a list or an object of strings, true or false, a whole number, or
// a number of milliseconds.
template <typename Options>
void ReadOption(const OptionRow<Options>& row, base::JsonFields& fields, const std::string& folder, Options& options) {
  const auto read = [&](auto member) {
    auto& value = options.*member;
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      value = ReadText(fields, row.name, row.written, folder, value);
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      value = fields.OptionalTexts(row.name).value_or(value);
      if (row.written == Written::kRequired && value.empty()) {
        fields.Fail(row.name, "must be a list of at least one URL");
      }
    } else if constexpr (std::is_same_v<Value, std::map<std::string, std::string>>) {
      value = fields.TextMap(row.name);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = fields.Flag(row.name, value);
    } else if constexpr (std::is_same_v<Value, absl::Duration>) {
      value = absl::Milliseconds(fields.Integer(row.name, row.range, absl::ToInt64Milliseconds(value)));
    } else {
      const int64_t unit = row.written == Written::kMegabytes ? 1'000'000 : 1;
      value = static_cast<Value>(fields.Integer(row.name, row.range, value / unit) * unit);
    }
  };
  std::visit(read, row.sets);
}

// Reads all rows in their order. Errors are added to `fields`; the options can't be used then.
template <typename Options>
void ReadOptions(absl::Span<const OptionRow<Options>> rows, base::JsonFields& fields, const std::string& folder,
                 Options& options) {
  for (const OptionRow<Options>& row : rows) ReadOption(row, fields, folder, options);
}

}  // namespace logquery::backend

#endif  // LOGQUERY_LIB_BACKEND_OPTION_TABLE_H_
