// Writes a definition's settings from a query's parameters and from the fields of Logflare's endpoints.
#include "lib/tools/import_logflare.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "lib/base/back_quoted.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/json_map.h"
#include "lib/base/json_parse.h"
#include "lib/base/json_place.h"
#include "lib/base/limits.h"
#include "lib/base/quoted_text.h"
#include "lib/base/sha256.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/lexer.h"
#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/endpoint/definitions/labels.h"
#include "lib/endpoint/definitions/uuid.h"
#include "lib/sql/lexer.h"

namespace logquery::endpoint {
namespace {

using base::Json;
using base::StrCat;

// Fields of Logflare's own bookkeeping, which say nothing about what callers get.
constexpr std::string_view kIgnored[] = {"inserted_at",   "updated_at", "user_id", "user",    "metrics",
                                         "parsed_labels", "team",       "link",    "__meta__"};

// The same id for the same name, of the form of a UUID that is a digest (version 8).
std::string IdOf(std::string_view name) {
  std::string id = base::Sha256Hex(StrCat("logquery import ", name)).substr(0, 32);
  id[12] = '8';
  id[16] = "89ab"[static_cast<unsigned char>(id[16]) % 4];
  for (const size_t at : {20, 16, 12, 8}) id.insert(at, "-");
  return id;
}

// One endpoint on its way to a definition.
class Importer {
 public:
  Importer(std::string_view name, const TableNames& tables, const std::vector<Endpoint>& built_in)
      : tables_(tables), built_in_(built_in) {
    to_.name = name;
    json_["id"] = IdOf(name);
    json_["name"] = to_.name;
  }

  void Id(const Json& token) {
    if (token.is_string() && IsUuid(token.text())) {
      json_["id"] = token;
    } else {
      Note("token", token, "is no UUID; the id is made of the name");
    }
  }

  Json& settings() { return json_; }
  void Note(std::string_view field, const Json& value, std::string_view why) {
    to_.notes.push_back(StrCat(field, " ", base::ShortJson(value), ": ", why));
  }
  void Refuse(std::string problem) { to_.problems.push_back(std::move(problem)); }

  ImportedDefinition Finish(std::string_view sql) {
    for (const Endpoint& known : built_in_) {
      if (known.name == to_.name && !has_token_) json_["id"] = known.id;
    }
    TakeQuery(sql);
    to_.json = json_.ToString(2) + "\n";
    if (!to_.problems.empty()) return std::move(to_);
    const absl::Status made = Endpoint::FromJson(to_.name + ".json", to_.json, to_.sql).status();
    if (!made.ok()) Refuse(std::string(base::Message(made)));
    return std::move(to_);
  }
  void set_has_token() { has_token_ = true; }

 private:
  // The tables renamed, and a parameter declared for each @name.
  void TakeQuery(std::string_view sql) {
    if (json_.contains("language")) return TakeClickHouse(sql);
    const absl::StatusOr<sql::TokenList> tokens = sql::Lex(sql, base::kMaxNesting);
    if (!tokens.ok()) return Refuse(StrCat("the query: ", base::Message(tokens.status())));
    base::NameSet seen;
    Json parameters = Json::array();
    size_t copied = 0;
    for (const sql::Token& token : tokens->tokens) {
      const bool named = token.kind == sql::TokenKind::kQuotedName;
      if (!named && token.kind != sql::TokenKind::kParameter) continue;
      const std::string& text = tokens->values[token.value];
      if (!named) {
        if (seen.insert(text).second) parameters.push_back({{"name", text}, {"type", "STRING"}});
        continue;
      }
      CopyRenamed(sql, text, token.span, copied);
    }
    EndQuery(sql.substr(std::min(copied, sql.size())), std::move(parameters), seen);
  }

  // The same for {name:Type}, and for tables whose names need no quotes.
  void TakeClickHouse(std::string_view sql) {
    const absl::StatusOr<std::vector<clickhouse_sql::Token>> tokens = clickhouse_sql::Lex(sql);
    if (!tokens.ok()) return Refuse(StrCat("the query: ", base::Message(tokens.status())));
    base::NameSet seen;
    Json parameters = Json::array();
    size_t copied = 0;
    for (size_t i = 0; i < tokens->size(); ++i) {
      const clickhouse_sql::Token& token = (*tokens)[i];
      if (token.text == "{" && i + 3 < tokens->size() && (*tokens)[i + 2].text == ":") {
        const std::string& name = (*tokens)[i + 1].text;
        if (seen.insert(name).second) parameters.push_back({{"name", name}, {"type", TypeOf(sql, *tokens, i + 3)}});
        i += 3;
        continue;
      }
      using Kind = clickhouse_sql::TokenKind;
      if (token.kind != Kind::kName && token.kind != Kind::kQuotedName) continue;
      CopyRenamed(sql, token.text, token.span, copied);
    }
    EndQuery(sql.substr(std::min(copied, sql.size())), std::move(parameters), seen);
  }

  // Copies the query up to and with the name at `span`, if that is a table to rename. `copied` is how much has been copied.
  void CopyRenamed(std::string_view sql, std::string_view name, sql::Span span, size_t& copied) {
    const auto renamed =
        std::find_if(tables_.begin(), tables_.end(), [&](const auto& pair) { return pair.first == name; });
    if (renamed == tables_.end()) return;
    base::StrAppend(&to_.sql, sql.substr(copied, span.begin - copied), base::BackQuoted(renamed->second));
    copied = span.end;
  }

  // The type of a definition's parameter for one of ClickHouse's; STRING for an unknown one, which the resolver rejects.
  static std::string TypeOf(std::string_view sql, const std::vector<clickhouse_sql::Token>& tokens, size_t at) {
    size_t end = at;
    while (end + 1 < tokens.size() && tokens[end].text != "}") ++end;
    const uint32_t begin = tokens[at].span.begin;
    const auto type = clickhouse_sql::ParseType(sql.substr(begin, tokens[end].span.begin - begin));
    return type.ok() ? type->PlanType().ToString() : "STRING";
  }

  void EndQuery(std::string_view rest, Json parameters, const base::NameSet& seen) {
    to_.sql.append(rest);
    if (!to_.sql.empty() && to_.sql.back() != '\n') to_.sql += '\n';
    json_["parameters"] = std::move(parameters);
    CheckLabels(seen);
  }

  // Theirs have the same form as a definition's, with fewer rules.
  void CheckLabels(const base::NameSet& parameters) {
    const auto given = json_.find("labels");
    if (given == json_.end()) return;
    const Json text = *given;
    const auto labels = ParseLabels(text.get<std::string>());
    std::string why = labels.ok() ? "" : std::string(base::Message(labels.status()));
    const std::vector<EndpointLabel> known = labels.value_or(std::vector<EndpointLabel>());
    for (const EndpointLabel& label : known) {
      const bool missing = label.from == EndpointLabel::From::kParameter && !parameters.contains(label.value);
      if (missing) why = StrCat("names the parameter ", label.value, ", which the query does not have");
    }
    if (why.empty()) return;
    Note("labels", text, why);
    json_.erase("labels");
  }

  const TableNames& tables_;
  const std::vector<Endpoint>& built_in_;
  ImportedDefinition to_;
  Json json_ = Json::object();
  bool has_token_ = false;
};

std::optional<int64_t> Seconds(const Json& value) {
  if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() > 1e9) return std::nullopt;
  return value.get<int64_t>();
}

// Whether the field says nothing that a definition would not have without it.
bool SaysNothing(const Json& value) {
  return value.is_null() || (value.is_string() && value.text().empty()) ||
         ((value.is_array() || value.is_object()) && value.empty());
}

void TakeField(const std::string& key, const Json& value, Importer& importer) {
  Json& settings = importer.settings();
  const std::optional<int64_t> seconds = Seconds(value);
  if (key == "token") {
    importer.set_has_token();
    return importer.Id(value);
  }
  if (key == "description" && value.is_string()) {
    settings["description"] = value;
  } else if (key == "max_limit" && seconds) {
    settings["max_rows"] = *seconds;
  } else if (key == "cache_duration_seconds" && seconds) {
    settings["caching"] = *seconds == 0 ? Json("disabled") : Json(*seconds);
  } else if (key == "proactive_requerying_seconds" && seconds) {
    if (*seconds > 0) settings["cache_warming"] = *seconds;
  } else if (key == "sandboxable" && value.is_boolean()) {
    settings["query_sandboxing"] = value;
  } else if (key == "redact_pii" && value.is_boolean()) {
    settings["redact_pii"] = value;
  } else if (key == "language") {
    if (value == "ch_sql") {
      settings["language"] = "clickhouse";
    } else if (value != "bq_sql") {
      importer.Refuse(StrCat("its language is ", base::ShortJson(value), "; only bq_sql and ch_sql can be served"));
    }
  } else if (key == "enable_auth") {
    if (value == false) importer.Note(key, value, "every call wants a token here");
  } else if (key == "source_mapping") {
    importer.Note(key, value, "tables have fixed names here; --table OLD=NEW renames one in the queries");
  } else if (key == "labels" && value.is_string()) {
    settings["labels"] = value;
  } else {
    importer.Note(key, value, "no setting of a definition stands for it");
  }
}

ImportedDefinition ImportObject(const Json& json, const TableNames& tables, const std::vector<Endpoint>& built_in) {
  const auto text = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  Importer importer(text("name"), tables, built_in);
  if (text("name").empty()) importer.Refuse("it has no name");
  if (text("query").empty()) importer.Refuse("it has no query");
  for (const auto& [key, value] : json.items()) {
    const bool ignored = std::find(std::begin(kIgnored), std::end(kIgnored), key) != std::end(kIgnored);
    if (ignored || key == "id" || key == "name" || key == "query" || SaysNothing(value)) continue;
    TakeField(key, value, importer);
  }
  Json& settings = importer.settings();
  if (settings.contains("cache_warming") && !(settings.contains("caching") && settings["caching"].is_number())) {
    importer.Note("proactive_requerying_seconds", settings["cache_warming"],
                  "nothing is cached that could be made anew");
    settings.erase("cache_warming");
  }
  return importer.Finish(text("query"));
}

}  // namespace

ImportedDefinition ImportSql(std::string_view name, std::string_view sql, const TableNames& tables,
                             const std::vector<Endpoint>& built_in) {
  Importer importer(name, tables, built_in);
  // Shipped endpoints had this setting for their callers, and Logflare gives it to a new one.
  importer.settings()["query_sandboxing"] = false;
  return importer.Finish(sql);
}

std::vector<ImportedDefinition> ImportApi(std::string_view json, const TableNames& tables,
                                          const std::vector<Endpoint>& built_in, std::vector<std::string>& problems) {
  std::vector<ImportedDefinition> imported;
  Json parsed;
  base::JsonTextError error;
  if (!base::ParseJsonText(json, parsed, error)) {
    problems.push_back(
        StrCat(base::PlaceInText(json, error.offset), ": ", error.syntax ? "not JSON: " : "the JSON ", error.message));
    return imported;
  }
  const Json* list = &parsed;
  for (const char* key : {"endpoints", "data"}) {
    if (parsed.is_object() && parsed.contains(key) && parsed[key].is_array()) list = &parsed[key];
  }
  const base::JsonMap map(json, parsed);
  const auto take = [&](const Json& one) {
    if (one.is_object()) {
      imported.push_back(ImportObject(one, tables, built_in));
    } else {
      problems.push_back(StrCat(base::PlaceInText(json, map.OffsetOf(one)),
                                ": an endpoint is an object with \"name\" and "
                                "\"query\", not ",
                                base::ShortJson(one)));
    }
  };
  if (!list->is_array()) {
    take(*list);
    return imported;
  }
  for (const Json& one : *list) take(one);
  if (list->empty()) problems.emplace_back("it has no endpoint: the list is empty");
  return imported;
}

}  // namespace logquery::endpoint
