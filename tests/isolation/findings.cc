#include "tests/isolation/findings.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/base/strings.h"

namespace logquery::isolation {
namespace {

using Json = nlohmann::json;

struct Kind {
  std::set<std::string> places;
  std::string shortest, difference;
};

long Long(int64_t number) { return static_cast<long>(number); }

}  // namespace

absl::Status Findings::Add(Caller caller, const Query& query, const Finding& finding) const {
  Json line;
  line["kind"] = query.kind;
  line["place"] = query.place;
  line["sql"] = query.sql;
  line["caller"] = CallerName(caller);
  line["difference"] = finding.difference;
  line["failed"] = finding.status.ok() ? "" : std::string(base::Message(finding.status));
  std::ofstream file(file_, std::ios::app);
  file << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  file.close();
  return file ? absl::OkStatus() : absl::InternalError("the file of findings can't be written: " + file_);
}

absl::StatusOr<int64_t> Findings::PrintSummary(size_t calls) const {
  std::map<std::string, Kind> kinds;
  std::map<std::string, Json> failures;
  int64_t checked = 0, failed = 0, differences = 0;
  std::ifstream file(file_);
  for (std::string text; std::getline(file, text); ++checked) {
    const Json line = Json::parse(text);
    const std::string name = line.at("kind"), sql = line.at("sql"), difference = line.at("difference");
    if (line.at("failed") != "") {
      ++failed;
      if (name.rfind("[failing]", 0) != 0 && name.rfind("[random]", 0) != 0) failures.emplace(name, line);
    }
    if (difference.empty()) continue;
    ++differences;
    Kind& kind = kinds[name];
    kind.places.insert(line.at("place"));
    if (!kind.shortest.empty() && kind.shortest.size() <= sql.size()) continue;
    kind.shortest = sql;
    kind.difference = difference;
  }
  for (const auto& [name, line] : failures) {
    std::printf("fails on the own rows alone: %s: %s\n", name.c_str(),
                line.at("failed").get<std::string>().substr(0, 200).c_str());
  }
  for (const auto& [name, kind] : kinds) {
    std::printf("differs in %zu places: %s\n    %s\n    %s\n", kind.places.size(), name.c_str(), kind.shortest.c_str(),
                kind.difference.c_str());
  }
  std::printf("%ld queries checked, %ld fail on the own rows alone; %ld differences, of %ld expressions\n",
              Long(checked), Long(failed), Long(differences), Long(static_cast<int64_t>(kinds.size())));
  if (checked != static_cast<int64_t>(calls)) {
    return absl::InternalError(base::StrCat(checked, " findings of ", calls, " calls are in ", file_));
  }
  return differences;
}

}  // namespace logquery::isolation
