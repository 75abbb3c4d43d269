// Reads settings from all layers: defaults, the file, variables, options. Each value is checked where it is given.
#include "shim/cli/options/settings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "lib/base/json/value.h"
#include "lib/base/json_comments.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_map.h"
#include "lib/base/json_parse.h"
#include "lib/base/json_place.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "shim/cli/options/settings_check.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::StrCat;

std::string NumberRange(const Setting& setting, bool whole) {
  const auto text = [](double number) {
    const auto integer = static_cast<int64_t>(number);
    return static_cast<double>(integer) == number ? StrCat(integer) : StrCat(number);
  };
  return StrCat("must be a ", whole ? "whole " : "", "number from ", text(setting.least), " to ", text(setting.most));
}

// Puts one value into its place. Each returns what would be right; empty: it is.
struct Put {
  const Setting& setting;
  const std::vector<std::string>& texts;

  std::string operator()(std::string* to) const {
    *to = texts.back();
    return "";
  }
  std::string operator()(std::vector<std::string>* to) const {
    *to = texts;
    return "";
  }
  std::string operator()(bool* to) const {
    const std::string& text = texts.back();
    if (text != "true" && text != "false" && text != "1" && text != "0") return "must be true or false";
    *to = text == "true" || text == "1";
    return "";
  }
  template <typename Integer>
  std::string operator()(Integer* to) const {
    int64_t number = 0;
    const bool is_number = absl::SimpleAtoi(texts.back(), &number);
    if (!is_number || static_cast<double>(number) < setting.least || static_cast<double>(number) > setting.most) {
      return NumberRange(setting, true);
    }
    *to = static_cast<Integer>(number);
    return "";
  }
  std::string operator()(double* to) const {
    double number = 0;
    const bool is_number = absl::SimpleAtod(texts.back(), &number) && std::isfinite(number);
    if (!is_number || number < setting.least || number > setting.most) return NumberRange(setting, false);
    *to = number;
    return "";
  }
};

// The value of a key as texts; what would be right where it is not of the setting's type.
struct Texts {
  std::vector<std::string> texts;
  std::string problem;
};

Texts TextsOf(const Setting& setting, const Json& json) {
  ServeArguments unused;
  const SettingPlace place = setting.place(unused);
  if (std::holds_alternative<std::vector<std::string>*>(place)) {
    const bool is_list =
        json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_string(); });
    if (!is_list) return {{}, "must be a list of strings"};
    return {json.get<std::vector<std::string>>(), ""};
  }
  if (std::holds_alternative<std::string*>(place)) {
    if (!json.is_string()) return {{}, "must be a string"};
    return {{json.get<std::string>()}, ""};
  }
  const bool is_flag = std::holds_alternative<bool*>(place);
  if (is_flag ? json.is_boolean() : json.is_number()) return {{json.ToString()}, ""};
  return {{}, is_flag ? "must be true or false" : NumberRange(setting, !std::holds_alternative<double*>(place))};
}

class ConfigFile {
 public:
  explicit ConfigFile(std::string_view text) : text_(text) {}

  // Takes the file's values over into `to`; `on_value` is told of each. All that is wrong is in problems().
  void Read(const std::string& folder, ServeArguments& to,
            const std::function<void(const Setting& setting, size_t offset)>& on_value) {
    Json parsed;
    base::JsonTextError error;
    const std::string blank = base::BlankComments(text_);
    if (!base::ParseJsonText(blank, parsed, error)) {
      return Fail(error.offset, StrCat(error.syntax ? "not JSON: " : "the JSON ", error.message));
    }
    const base::JsonMap map(blank, parsed);
    if (!parsed.is_object()) {
      return Fail(map.OffsetOf(parsed), StrCat("must be an object of settings, is ", base::ShortJson(parsed)));
    }
    for (const auto& [key, json] : parsed.items()) {
      const size_t offset = map.OffsetOfMember(parsed, key);
      const Setting* const setting = Find(key);
      if (setting == nullptr) {
        Fail(offset,
             StrCat(base::QuotedText(key), " is no setting", base::DidYouMean(base::NearestNames(key, Keys()))));
        continue;
      }
      Texts value = TextsOf(*setting, json);
      if (value.problem.empty() && setting->is_path && !value.texts.back().empty()) {
        value.texts.back() = (fs::path(folder) / value.texts.back()).string();
      }
      if (value.problem.empty()) value.problem = std::visit(Put{*setting, value.texts}, setting->place(to));
      if (value.problem.empty()) {
        on_value(*setting, offset);
      } else {
        Fail(offset, StrCat(key, " ", value.problem, ", is ", base::ShortJson(json)));
      }
    }
  }

  const std::vector<ConfigProblem>& problems() const { return problems_; }

 private:
  static const Setting* Find(std::string_view key) {
    for (const Setting& setting : AllSettings()) {
      if (setting.key == key) return &setting;
    }
    return nullptr;
  }
  static std::vector<std::string> Keys() {
    std::vector<std::string> keys;
    for (const Setting& setting : AllSettings()) keys.emplace_back(setting.key);
    return keys;
  }
  void Fail(size_t offset, std::string message) { problems_.push_back({offset, std::move(message)}); }

  const std::string_view text_;
  std::vector<ConfigProblem> problems_;
};

// Makes the arguments of a server, and remembers where each came from.
class Layers {
 public:
  Layers() : configured_{DefaultServe(), std::vector<std::string>(AllSettings().size(), "default")} {}

  absl::Status TakeFile(const std::string& path) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string text, endpoint::ReadDefinitionFile(path));
    ConfigFile file(text);
    file.Read(fs::path(path).parent_path().string(), configured_.arguments, [&](const Setting& setting, size_t offset) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
      SourceOf(setting) = StrCat(path, ":", line);
    });
    if (file.problems().empty()) return absl::OkStatus();
    const ConfigProblem& first = file.problems().front();
    const size_t more = file.problems().size() - 1;
    return base::WithPlaceIn(
        text, first.offset,
        absl::InvalidArgumentError(
            StrCat(path, " at ", base::PlaceInText(text, first.offset), ": ", first.message,
                   more == 0 ? "" : StrCat("; `logquery config check ", path, "` lists ", more, " more"))));
  }

  absl::Status TakeVariables(const base::Variables& variable) {
    for (const Setting& setting : AllSettings()) {
      const std::string name = VariableOf(setting);
      const char* const text = variable(name);
      if (text == nullptr) continue;
      const bool is_list = std::holds_alternative<std::vector<std::string>*>(setting.place(configured_.arguments));
      std::vector<std::string> texts = {text};
      if (is_list) texts = absl::StrSplit(text, ',', absl::SkipEmpty());
      LOGQUERY_RETURN_IF_ERROR(Take(setting, texts, name));
    }
    return absl::OkStatus();
  }

  absl::Status TakeOptions(const std::map<std::string, std::vector<std::string>>& options) {
    for (const Setting& setting : AllSettings()) {
      const auto given = options.find(std::string(setting.key));
      if (given == options.end()) continue;
      const std::string option = OptionOf(setting);
      std::vector<std::string> texts = given->second;
      const bool is_switch = std::holds_alternative<bool*>(setting.place(configured_.arguments));
      if (is_switch) texts = {option.starts_with("--no-") ? "false" : "true"};
      LOGQUERY_RETURN_IF_ERROR(Take(setting, texts, option));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ConfiguredServe> Finish() {
    LOGQUERY_RETURN_IF_ERROR(CheckTogether());
    return std::move(configured_);
  }

 private:
  std::string& SourceOf(const Setting& setting) {
    return configured_.sources[static_cast<size_t>(&setting - AllSettings().data())];
  }

  absl::Status Take(const Setting& setting, const std::vector<std::string>& texts, const std::string& source) {
    const std::string problem = std::visit(Put{setting, texts}, setting.place(configured_.arguments));
    if (!problem.empty()) {
      return absl::InvalidArgumentError(StrCat(source, " ", problem, ", is ", base::QuotedText(texts.back())));
    }
    SourceOf(setting) = source;
    return absl::OkStatus();
  }

  // "--spool", or "spool (FILE:3)".
  std::string Named(std::string_view key) {
    const Setting& setting = FindSetting(key);
    const std::string& source = SourceOf(setting);
    const bool says_it = source == OptionOf(setting) || source == VariableOf(setting);
    return says_it ? source : StrCat(key, " (", source, ")");
  }
  bool IsGiven(std::string_view key) { return SourceOf(FindSetting(key)) != "default"; }

  absl::Status Exclude(std::string_view one, std::initializer_list<std::string_view> others) {
    for (const std::string_view other : others) {
      if (!IsGiven(other)) continue;
      return absl::InvalidArgumentError(StrCat(Named(one), " and ", Named(other), " exclude each other"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckTogether() {
    const ServeArguments& arguments = configured_.arguments;
    if (arguments.tokens.empty() && arguments.token_from.empty()) {
      return absl::InvalidArgumentError(
          "say which access tokens count: --tokens FILE, LOGQUERY_TOKENS, or \"tokens\" in the file of --config; or "
          "--token-from, for tokens in variables");
    }
    if (!arguments.service.built_in && arguments.service.endpoints.empty()) {
      return absl::InvalidArgumentError(StrCat(Named("builtin"), " wants a folder of definitions: --endpoints DIR"));
    }
    if (arguments.read_only)
      LOGQUERY_RETURN_IF_ERROR(Exclude("read_only", {"spool", "retain", "confirm_clock", "cluster"}));
    if (arguments.read_only && arguments.ingest) LOGQUERY_RETURN_IF_ERROR(Exclude("read_only", {"ingest"}));
    for (const std::string_view key : {"ingest_memory", "source_ids", "new_sources"}) {
      if (!IsGiven(key) || arguments.ingest) continue;
      return absl::InvalidArgumentError(StrCat(Named(key), " wants logs to be taken in: --ingest"));
    }
    for (const std::string_view key : {"trace_share", "trace_header_from"}) {
      if (!IsGiven(key) || !arguments.trace_to.empty()) continue;
      return absl::InvalidArgumentError(StrCat(Named(key), " wants a collector of traces: --trace-to URL"));
    }
    if (arguments.service.backend.empty()) return absl::OkStatus();
    return Exclude("backend", {"memory_limit", "engine_threads"});
  }

  ConfiguredServe configured_;
};

}  // namespace

absl::StatusOr<ConfiguredServe> Configure(const GivenSettings& given, const base::Variables& variable) {
  Layers layers;
  std::string file = given.config;
  if (const char* const named = variable("LOGQUERY_CONFIG"); file.empty() && named != nullptr) file = named;
  if (!file.empty()) LOGQUERY_RETURN_IF_ERROR(layers.TakeFile(file));
  LOGQUERY_RETURN_IF_ERROR(layers.TakeVariables(variable));
  LOGQUERY_RETURN_IF_ERROR(layers.TakeOptions(given.options));
  return layers.Finish();
}

std::vector<ConfigProblem> CheckConfigText(std::string_view text, const std::string& folder) {
  ConfigFile file(text);
  ServeArguments arguments = DefaultServe();
  std::map<std::string_view, size_t> offsets;
  file.Read(folder, arguments, [&offsets](const Setting& setting, size_t offset) { offsets[setting.key] = offset; });
  std::vector<ConfigProblem> problems = file.problems();
  for (const SettingProblem& problem : CheckSettings(arguments)) {
    problems.push_back({offsets[problem.key], std::string(base::Message(problem.status))});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const ConfigProblem& a, const ConfigProblem& b) { return a.offset < b.offset; });
  return problems;
}

std::vector<std::string> NearVariables(const char* const* environment) {
  constexpr std::string_view kPrefix = "LOGQUERY_";
  std::vector<std::string> names = {"CONFIG", "SUPERVISED"};  // the second is what a supervisor gives its server
  for (const Setting& setting : AllSettings()) names.push_back(VariableOf(setting).substr(kPrefix.size()));
  std::vector<std::string> found;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with(kPrefix)) continue;
    const std::string_view rest = name.substr(kPrefix.size());
    if (std::find(names.begin(), names.end(), rest) != names.end()) continue;
    std::vector<std::string> near = base::NearestNames(rest, names);
    if (near.empty()) continue;
    for (std::string& known : near) known.insert(0, kPrefix);
    found.push_back(StrCat(name, " is the variable of no setting", base::DidYouMean(near)));
  }
  return found;
}

}  // namespace logquery::shim
