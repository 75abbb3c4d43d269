// ClickHouse over a network: compressed answers, a proxy that cuts or garbles them, and a user who may change no settings.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/result/packer.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/clickhouse/scripted_server.h"
#include "tests/engines/network_checks.h"
#include "tests/support/one_column.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;
using testing::RowBinary;
using testing::RowSum;
using testing::ScriptedServer;
using testing::TcpProxy;
using testing::WholeAnswer;

QueryFragment Rows(int count) {
  return testing::OneColumn(StrCat("SELECT toInt64(number) AS c1 FROM numbers(", count, ")"));
}

std::string Packed(const std::string& body, ContentCoding coding) {
  auto packer = *result::MakePacker(coding, static_cast<int64_t>(body.size()));
  std::string packed;
  REQUIRE(packer->Add(body, packed).ok());
  REQUIRE(packer->Finish(packed).ok());
  return packed;
}

ClickHouseOptions OptionsOf(const std::string& url) {
  ClickHouseOptions options;
  options.hosts = {url};
  options.user = "u";
  return options;
}

TEST_CASE("ClickHouse's compressed rows are read completely", "[clickhouse]") {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    const std::string name(ContentCodingName(coding));
    CAPTURE(name);
    const std::string coding_header = StrCat("Content-Encoding: ", name, "\r\n");
    const std::string packed = Packed(RowBinary(10'000), coding);
    CHECK(packed.size() < 10'000);
    ScriptedServer server(WholeAnswer(packed, coding_header));
    ClickHouseSource source(OptionsOf(server.url()), Catalog());
    RowSum rows;
    CHECK(source.Run(Rows(1), {}, {}, rows).ok());
    CHECK(rows.sum() == 50'000);
    CHECK(absl::StrContains(server.last_request(), "Accept-Encoding: "));
    // The packed bytes end too soon, or are none.
    for (const std::string& broken : {packed.substr(0, packed.size() / 2), packed.substr(0, packed.size() - 1),
                                      std::string("not packed"), std::string()}) {
      ScriptedServer other(WholeAnswer(broken, coding_header));
      ClickHouseSource cut(OptionsOf(other.url()), Catalog());
      RowSum some;
      const absl::Status status = cut.Run(Rows(1), {}, {}, some);
      INFO(status.ToString());
      // If the checksum alone is cut, all rows are there.
      CHECK((absl::IsUnavailable(status) || absl::IsInternal(status) || some.rows() == 10'000));
    }
  }
}

TEST_CASE("ClickHouse is not asked for compression if the options disable it", "[clickhouse]") {
  ScriptedServer server(WholeAnswer(RowBinary(3)));
  ClickHouseOptions options = OptionsOf(server.url());
  options.compression = false;
  ClickHouseSource source(options, Catalog());
  RowSum rows;
  CHECK(source.Run(Rows(1), {}, {}, rows).ok());
  CHECK_FALSE(absl::StrContains(server.last_request(), "Accept-Encoding"));
}

TEST_CASE("a ClickHouse user without the right to change settings is rejected with the reason", "[clickhouse]") {
  ClickHouseOrSkip server;
  const ClickHouseOptions options = server.Options({});
  CHECK(ClickHouseSource(options, Catalog()).ReadCatalog().ok());
  server.RestartWithProfile("<readonly>1</readonly>");
  const absl::Status refused = ClickHouseSource(options, Catalog()).ReadCatalog().status();
  INFO(refused.ToString());
  CHECK(absl::IsFailedPrecondition(refused));
  CHECK(absl::StrContains(refused.message(), "readonly 0 or 2, not 1"));
  server.RestartWithProfile("<readonly>2</readonly>");
  CHECK(ClickHouseSource(options, Catalog()).ReadCatalog().ok());
}

TEST_CASE("a proxy that cuts or garbles ClickHouse's answer never causes missing rows", "[clickhouse]") {
  constexpr int kRows = 50'000;
  ClickHouseOrSkip server;
  TcpProxy proxy(server.port());
  ClickHouseOptions options = server.Options({});
  options.hosts = {StrCat("http://127.0.0.1:", proxy.port())};
  // A host that failed is left alone for a while by its source.
  for (const int64_t bytes : {0, 1, 20, 300, 70'000, 300'000}) {
    CAPTURE(bytes);
    ClickHouseSource source(options, Catalog());
    testing::CheckCutAnswer(proxy, source, Rows(kRows), kRows, bytes);
    ClickHouseSource again(options, Catalog());
    RowSum all;
    CHECK(again.Run(Rows(kRows), {}, {}, all).ok());
    CHECK(all.sum() == int64_t{kRows} * (kRows - 1) / 2);
  }
  int failed = 0;
  // The garbage is in the head.
  for (int64_t at = 0; at < 260; at += 20) {
    CAPTURE(at);
    ClickHouseSource source(options, Catalog());
    failed += testing::FailsGarbled(proxy, source, Rows(20), 20, at) ? 1 : 0;
  }
  CHECK(failed > 1);
}

}  // namespace
}  // namespace logquery::clickhouse
