// The folders are what the checks need: hidden rows among the own ones, in dictionaries and in several row groups.
#include "tests/isolation/log_folder.h"

#include <algorithm>

#include "tests/isolation/isolation_test_util.h"

namespace logquery::isolation {
namespace {

std::string CountOf(Reader& reader, const std::string& condition) {
  return EngineTexts(reader, "SELECT CAST(count(*) AS VARCHAR) AS x FROM \"tenant.logs\" WHERE " + condition)[0];
}

TEST_CASE("a shared folder holds the own rows and hidden ones, and the caller counts the own ones") {
  const auto folder = MakeFolder({.hidden = Hidden::kOtherProject, .own_rows = 300, .hidden_rows = 200});
  const auto reader = OpenReader({.folder = folder->path()});
  CHECK(CountOf(*reader, "true") == "500");
  CHECK(CountOf(*reader, "project = 'own'") == "300");
  CHECK(CountOf(*reader, "event_message LIKE '%zqx%'") != "0");
  for (const Caller caller : {Caller::kProjectParameter, Caller::kFixedParameter, Caller::kScopedToken}) {
    INFO(CallerName(caller));
    const Answer answer = reader->Run(caller, "SELECT COUNT(*) AS n FROM logs");
    INFO(answer.status);
    CHECK(answer.rows == "{\"n\":300}\n");
  }
}

TEST_CASE("rows outside the window are hidden by the retention and by a bound on the time") {
  const auto folder = MakeFolder({.hidden = Hidden::kOutsideWindow, .own_rows = 300, .hidden_rows = 200});
  const auto reader = OpenReader({.folder = folder->path()});
  CHECK(CountOf(*reader, "project = 'own'") == "500");
  for (const Caller caller : {Caller::kRetention, Caller::kTimeBound}) {
    INFO(CallerName(caller));
    const Answer answer = reader->Run(caller, "SELECT COUNT(*) AS n FROM logs");
    INFO(answer.status);
    CHECK(answer.rows == "{\"n\":300}\n");
  }
}

TEST_CASE("repeated texts are stored as dictionaries that hold own and hidden values") {
  Reader& shared = TwinsFor(Caller::kScopedToken).shared();
  for (const char* column : {"event_message", "zone", "json_text"}) {
    INFO(column);
    const std::vector<std::string> compressions =
        EngineTexts(shared, std::string("SELECT DISTINCT compression AS x FROM pragma_storage_info('\"tenant.logs\"') "
                                        "WHERE segment_type = 'VARCHAR' AND column_name = '") +
                                column + "' ORDER BY 1");
    REQUIRE(compressions.size() == 1);
    CHECK((compressions[0] == "Dictionary" || compressions[0] == "DICT_FSST"));
  }
}

TEST_CASE("rows that are not checkpointed are not compressed") {
  auto folder = LogFolder::MakeFlat({});
  INFO(folder.status());
  REQUIRE(folder.ok());
  auto reader = Reader::Over((*folder)->TakeBackend(), {});
  REQUIRE(reader.ok());
  CHECK(EngineTexts(**reader,
                    "SELECT DISTINCT compression AS x FROM pragma_storage_info('\"tenant.logs\"') WHERE "
                    "segment_type = 'VARCHAR'") == std::vector<std::string>{"Uncompressed"});
  CHECK((*reader)->Run(Caller::kScopedToken, "SELECT COUNT(*) AS n FROM logs").rows == "{\"n\":9000}\n");
}

TEST_CASE("a large folder has several row groups, and a clustered one the same rows in another order", "[nightly]") {
  FolderPlan plan{.hidden = Hidden::kOtherProject, .own_rows = 156'000, .hidden_rows = 104'000};
  const auto ids = [](Reader& reader) {
    return EngineTexts(reader, "SELECT id AS x FROM \"tenant.logs\" WHERE project = 'own' AND part < 2");
  };
  const auto unclustered = MakeFolder(plan);
  plan.clustered = true;
  const auto clustered = MakeFolder(plan);
  const auto reader = OpenReader({.folder = unclustered->path()}), other = OpenReader({.folder = clustered->path()});
  for (Reader* each : {reader.get(), other.get()}) {
    CHECK(EngineTexts(*each,
                      "SELECT CAST(count(DISTINCT row_group_id) >= 2 AS VARCHAR) AS x FROM "
                      "pragma_storage_info('\"tenant.logs\"')")[0] == "true");
  }
  std::vector<std::string> a = ids(*reader), b = ids(*other);
  REQUIRE(a.size() == 3'120);
  CHECK(EngineTexts(*reader, "SELECT project AS x FROM \"tenant.logs\" LIMIT 100") !=
        EngineTexts(*other, "SELECT project AS x FROM \"tenant.logs\" LIMIT 100"));
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  CHECK(a == b);
}

}  // namespace
}  // namespace logquery::isolation
