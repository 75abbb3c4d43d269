// ClickHouse over a network: compressed answers, a proxy that cuts or garbles them, and a user who may change no settings.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/result/packer.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/scripted_server.h"
#include "tests/support/tcp_proxy.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;
using testing::ClickHouse;
using testing::ScriptedServer;
using testing::TcpProxy;

class Counter : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    for (int64_t row = 0; row < batch.rows(); ++row) sum_ += batch.column(0).Int64At(row);
    rows_ += batch.rows();
    return absl::OkStatus();
  }
  int64_t rows() const { return rows_; }
  int64_t sum() const { return sum_; }

 private:
  int64_t rows_ = 0;
  int64_t sum_ = 0;
};

QueryFragment Rows(int count) {
  QueryFragment fragment;
  fragment.text = StrCat("SELECT toInt64(number) AS c1 FROM numbers(", count, ")");
  fragment.schema = {{"c1", Type::Int64()}};
  return fragment;
}

// RowBinaryWithNamesAndTypes of `count` rows, each 5.
std::string Body(int count) {
  std::string rows(
      "\x01\x02"
      "c1\x05"
      "Int64",
      10);
  for (int i = 0; i < count; ++i) rows += std::string("\x05\0\0\0\0\0\0\0", 8);
  return rows;
}

std::string Packed(const std::string& body, ContentCoding coding) {
  auto packer = *result::MakePacker(coding, static_cast<int64_t>(body.size()));
  std::string packed;
  REQUIRE(packer->Add(body, packed).ok());
  REQUIRE(packer->Finish(packed).ok());
  return packed;
}

std::string Answer(const std::string& body, std::string_view coding) {
  return StrCat("HTTP/1.1 200 OK\r\nContent-Encoding: ", coding, "\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
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
    const std::string packed = Packed(Body(10'000), coding);
    CHECK(packed.size() < 10'000);
    ScriptedServer server(Answer(packed, name));
    ClickHouseSource source(OptionsOf(server.url()), Catalog());
    Counter rows;
    CHECK(source.Run(Rows(1), {}, {}, rows).ok());
    CHECK(rows.sum() == 50'000);
    CHECK(absl::StrContains(server.last_request(), "Accept-Encoding: "));
    // The packed bytes end too soon, or are none.
    for (const std::string& broken : {packed.substr(0, packed.size() / 2), packed.substr(0, packed.size() - 1),
                                      std::string("not packed"), std::string()}) {
      ScriptedServer other(Answer(broken, name));
      ClickHouseSource cut(OptionsOf(other.url()), Catalog());
      Counter some;
      const absl::Status status = cut.Run(Rows(1), {}, {}, some);
      INFO(status.ToString());
      // If the checksum alone is cut, all rows are there.
      CHECK((absl::IsUnavailable(status) || absl::IsInternal(status) || some.rows() == 10'000));
    }
  }
}

TEST_CASE("ClickHouse is not asked for compression if the options disable it", "[clickhouse]") {
  const std::string body = Body(3);
  ScriptedServer server(StrCat("HTTP/1.1 200 OK\r\nContent-Length: ", body.size(), "\r\n\r\n", body));
  ClickHouseOptions options = OptionsOf(server.url());
  options.compression = false;
  ClickHouseSource source(options, Catalog());
  Counter rows;
  CHECK(source.Run(Rows(1), {}, {}, rows).ok());
  CHECK_FALSE(absl::StrContains(server.last_request(), "Accept-Encoding"));
}

TEST_CASE("a ClickHouse user without the right to change settings is rejected with the reason", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  ClickHouse server;
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
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  constexpr int kRows = 50'000;
  ClickHouse server;
  TcpProxy proxy(server.port());
  ClickHouseOptions options = server.Options({});
  options.hosts = {StrCat("http://127.0.0.1:", proxy.port())};
  for (const int64_t bytes : {0, 1, 20, 300, 70'000, 300'000}) {
    CAPTURE(bytes);
    // A host that failed is left alone for a while by its source.
    ClickHouseSource source(options, Catalog());
    proxy.CutAfter(bytes);
    Counter rows;
    const absl::Status cut = source.Run(Rows(kRows), {}, {}, rows);
    INFO(cut.ToString());
    CHECK(absl::IsUnavailable(cut));
    CHECK(rows.rows() < kRows);
    proxy.PassAll();
    ClickHouseSource again(options, Catalog());
    Counter all;
    CHECK(again.Run(Rows(kRows), {}, {}, all).ok());
    CHECK(all.sum() == int64_t{kRows} * (kRows - 1) / 2);
  }
  int failed = 0;
  // The garbage is in the head; in a row it may make another value, which nothing but TLS tells.
  for (int64_t at = 0; at < 260; at += 20) {
    CAPTURE(at);
    ClickHouseSource source(options, Catalog());
    proxy.GarbleAfter(at);
    Counter rows;
    const absl::Status status = source.Run(Rows(20), {}, {}, rows);
    INFO(status.ToString());
    if (status.ok()) CHECK(rows.rows() == 20);
    failed += status.ok() ? 0 : 1;
    proxy.PassAll();
  }
  CHECK(failed > 1);
}

}  // namespace
}  // namespace logquery::clickhouse
