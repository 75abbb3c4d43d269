// Saved queries over a real folder and a real engine: use, revisions, scopes, and what callers may not do.
#include "logquery/serving/saved_queries.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "logquery/error.h"
#include "tests/serving/saved_fixture.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;
using testing::kCount;
using testing::kErrors;
using testing::MessageOf;
using testing::Of;
using testing::Replace;
using Fixture = testing::SavedFixture;

TEST_CASE("a query is saved, listed, changed and read in each of its revisions") {
  Fixture f;
  const Principal ann = Of("ann", "abc"), bob = Of("bob", "abc");
  const auto first = f.saved->Save(ann, {.name = "Errors by path"},
                                   {.endpoint = "logs.all", .sql = kCount, .description = "How many"}, std::nullopt);
  INFO(first.status().ToString());
  REQUIRE(first.ok());
  CHECK(first->revision == 1);
  CHECK(first->language == "bigquery");
  CHECK(first->project == "abc");
  const auto second = f.Save(bob, "Errors by path", kErrors, 1);
  REQUIRE(second.ok());
  CHECK(second->revision == 2);

  const auto queries = f.saved->List(ann, std::nullopt);
  REQUIRE(queries.ok());
  REQUIRE(queries->size() == 1);
  CHECK(queries->front().saved_by == "bob");
  CHECK(queries->front().sql.empty());
  CHECK(queries->front().problem.empty());

  const auto now = f.saved->Get(ann, {.name = "Errors by path"}, std::nullopt);
  REQUIRE(now.ok());
  CHECK(now->sql == kErrors);
  REQUIRE(now->kept.size() == 2);
  CHECK(now->kept[1].saved_by == "ann");
  CHECK(now->kept[0].saved_at - now->kept[1].saved_at == absl::Seconds(1));
  const auto before = f.saved->Get(ann, {.name = "Errors by path"}, 1);
  REQUIRE(before.ok());
  CHECK(before->sql == kCount);
  CHECK(before->description == "How many");
  CHECK(absl::IsNotFound(f.saved->Get(ann, {.name = "Errors by path"}, 3).status()));

  // Another process, or this one after a restart, finds the same.
  CHECK(f.Open()->Get(ann, {.name = "Errors by path"}, std::nullopt)->sql == kErrors);
  CHECK(f.log.empty());
}

TEST_CASE("the change of a revision that is not the present one is refused, and says what is there") {
  Fixture f;
  const Principal ann = Of("ann", "abc"), bob = Of("bob", "abc");
  REQUIRE(f.Save(ann, "q", kCount).ok());
  REQUIRE(f.Save(bob, "q", kErrors, 1).ok());
  const absl::Status lost = f.Save(ann, "q", kCount, 1).status();
  CHECK(absl::IsAborted(lost));
  CHECK(MessageOf(lost) ==
        "the saved query \"q\" is at revision 2, saved by \"bob\" at 2026-03-04T04:53:22+00:00; the change was made to "
        "revision 1");
  CHECK(absl::IsAborted(f.Save(ann, "q", kCount).status()));
  CHECK(absl::IsAborted(f.Save(ann, "q", kCount, 3).status()));
  CHECK(absl::IsAborted(f.saved->Delete(ann, {.name = "q"}, 1)));
  CHECK(f.saved->Get(ann, {.name = "q"}, std::nullopt)->sql == kErrors);
}

TEST_CASE("a deleted query is gone from lists, and goes on counting when it is saved again") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "q", kCount).ok());
  REQUIRE(f.saved->Delete(ann, {.name = "q"}, 1).ok());
  CHECK(f.Names(ann).empty());
  CHECK(absl::IsNotFound(f.saved->Get(ann, {.name = "q"}, std::nullopt).status()));
  CHECK(absl::IsNotFound(f.saved->Delete(ann, {.name = "q"}, std::nullopt)));
  CHECK(f.saved->Get(ann, {.name = "q"}, 1)->sql == kCount);
  // Whoever still has revision 1 on screen does not take the new one's place.
  CHECK(absl::IsAborted(f.Save(ann, "q", kErrors, 1).status()));
  CHECK(f.Save(ann, "q", kErrors)->revision == 3);
  CHECK(absl::IsAborted(f.Save(ann, "q", kCount, 1).status()));
}

TEST_CASE("a project sees its own queries and the shared ones, and a token for all projects sees all") {
  Fixture f;
  const Principal ann = Of("ann", "abc"), eve = Of("eve", "xyz"), root = Of("root", std::nullopt);
  REQUIRE(f.Save(ann, "q", kCount).ok());
  REQUIRE(f.Save(eve, "q", kErrors).ok());
  REQUIRE(f.Save(root, "q", "select 1 as shared from edge_logs").ok());
  REQUIRE(f.Save(root, "all", kCount).ok());
  using Names = std::vector<std::string>;
  CHECK(f.Names(ann) == Names{"shared/all", "shared/q", "abc/q"});
  CHECK(f.Names(eve) == Names{"shared/all", "shared/q", "xyz/q"});
  CHECK(f.Names(root) == Names{"shared/all", "shared/q", "abc/q", "xyz/q"});
  CHECK(f.Names(root, "xyz") == Names{"shared/all", "shared/q", "xyz/q"});
  CHECK(absl::IsPermissionDenied(f.saved->List(ann, "xyz").status()));

  CHECK(f.saved->Get(ann, {.name = "q"}, {})->sql == kCount);
  CHECK(f.saved->Get(ann, {.name = "q", .shared = true}, {})->sql == "select 1 as shared from edge_logs");
  CHECK(f.saved->Get(ann, {.name = "all"}, {})->sql == kCount);
  CHECK(absl::IsPermissionDenied(f.saved->Get(ann, {.name = "q", .project = "xyz"}, {}).status()));
  CHECK(f.saved->Get(root, {.name = "q", .project = "xyz"}, {})->sql == kErrors);

  // A project's token changes only the project's own.
  const SavedDraft draft{.endpoint = "logs.all", .sql = kCount};
  CHECK(absl::IsPermissionDenied(f.saved->Save(ann, {.name = "new", .shared = true}, draft, {}).status()));
  CHECK(absl::IsPermissionDenied(f.saved->Save(ann, {.name = "q", .project = "xyz"}, draft, 1).status()));
  CHECK(absl::IsNotFound(f.saved->Delete(ann, {.name = "all"}, {})));
  CHECK(f.saved->Save(root, {.name = "q", .project = "abc"}, draft, 1)->revision == 2);

  // A fixed parameter project limits a token, too.
  Principal fixed = Of("fixed", std::nullopt);
  fixed.fixed_parameters = {{"project", "xyz"}};
  CHECK(f.Names(fixed) == Names{"shared/all", "shared/q", "xyz/q"});
}

TEST_CASE("a token without the right saves and deletes nothing, and one for other endpoints sees nothing") {
  Fixture f;
  const Principal ann = Of("ann", "abc"), reader = Of("reader", "abc", false);
  REQUIRE(f.Save(ann, "q", kCount).ok());
  const absl::Status refused = f.Save(reader, "q", kErrors, 1).status();
  CHECK(absl::IsPermissionDenied(refused));
  CHECK(MessageOf(refused) == "this token may not save queries: that takes one created with --may-save");
  CHECK(absl::IsPermissionDenied(f.saved->Delete(reader, {.name = "q"}, {})));
  CHECK(f.saved->Get(reader, {.name = "q"}, {})->sql == kCount);

  Principal narrow = ann;
  narrow.endpoints = {"usage.api-counts"};
  CHECK(f.Names(narrow).empty());
  CHECK(absl::IsNotFound(f.saved->Get(narrow, {.name = "q"}, {}).status()));
  CHECK(absl::IsNotFound(f.saved->Get(narrow, {.name = "q"}, 1).status()));
  CHECK(absl::IsNotFound(f.saved->Delete(narrow, {.name = "q"}, {})));
  CHECK(absl::IsNotFound(f.Save(narrow, "other", kCount).status()));
}

TEST_CASE("SQL that a call would refuse is not saved, with the call's error") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  QueryRequest request;
  for (const char* sql : {"selct", "select nothing from edge_logs", "select * from pg_catalog.pg_tables",
                          "drop table edge_logs", "select id from edge_logs; select 1"}) {
    CAPTURE(sql);
    request.parameters = {{"sql", sql}, {"project", "abc"}};
    const auto called = f.server.service->Run(*f.server.service->Find(ann, "logs.all"), request);
    const absl::Status refused = f.Save(ann, "q", sql).status();
    CHECK(refused.code() == called.status().code());
    CHECK(refused.message() == called.status().message());
    CHECK(GetErrorDetails(refused).line == GetErrorDetails(called.status()).line);
  }
  CHECK(absl::IsNotFound(f.saved->Save(ann, {.name = "q"}, {.endpoint = "logs.none", .sql = kCount}, {}).status()));
  const SavedDraft fixed{.endpoint = "fixed.rows", .sql = kCount};
  CHECK(absl::IsInvalidArgument(f.saved->Save(ann, {.name = "q"}, fixed, {}).status()));
  const SavedDraft other{.endpoint = "logs.all", .sql = kCount, .language = "clickhouse"};
  CHECK(MessageOf(f.saved->Save(ann, {.name = "q"}, other, {}).status()) ==
        "language is \"clickhouse\"; the endpoint logs.all takes SQL in the language bigquery");
  CHECK(f.Names(ann).empty());
}

TEST_CASE("names and texts outside of what is allowed are refused before anything is touched") {
  Fixture f;
  const Principal root = Of("root", std::nullopt);
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../q"), std::string("a/b"),
        std::string("a\\b"), std::string(".hidden"), std::string("q."), std::string(" q"), std::string("q "),
        std::string("a\nb"), std::string("a\0b", 3), std::string("na\u00EFve"), std::string("\xFF"),
        std::string("q%2e"), std::string(65, 'q')}) {
    CAPTURE(name);
    CHECK(absl::IsInvalidArgument(f.Save(root, name, kCount).status()));
    CHECK(absl::IsInvalidArgument(f.saved->Get(root, {.name = name}, {}).status()));
    CHECK(absl::IsInvalidArgument(f.saved->Delete(root, {.name = name}, {})));
  }
  CHECK(f.Save(root, std::string(64, 'q'), kCount).ok());
  const SavedDraft draft{.endpoint = "logs.all", .sql = kCount};
  for (const std::string& project : {std::string(), std::string(201, 'p'), std::string(67, '/')}) {
    CAPTURE(project);
    CHECK(absl::IsInvalidArgument(f.saved->Save(root, {.name = "q", .project = project}, draft, {}).status()));
  }
  // A project's name is never a path.
  for (const std::string& project :
       {std::string(".."), std::string("../.."), std::string("a/b"), std::string("A b\u00E9")}) {
    CAPTURE(project);
    CHECK(f.saved->Save(root, {.name = "q", .project = project}, draft, {}).ok());
    CHECK(f.Names(Of("one", project)).back() == project + "/q");
  }
  for (const auto& entry : fs::recursive_directory_iterator(f.server.folder)) {
    if (entry.path().filename() == "q.json") CHECK(absl::StartsWith(entry.path().string(), f.folder() + "/projects/"));
  }
  CHECK(absl::IsInvalidArgument(f.Save(root, "q", "").status()));
  CHECK(absl::IsInvalidArgument(f.Save(root, "q", std::string(64 << 10, ' ') + kCount).status()));
  for (const std::string& text : {std::string("two\nlines"), std::string("\x1B[2J"), std::string("\u202E"),
                                  std::string("\xFF"), std::string(1'001, 'd')}) {
    CHECK(absl::IsInvalidArgument(
        f.saved->Save(root, {.name = "d"}, {.endpoint = "logs.all", .sql = kCount, .description = text}, {}).status()));
  }
}

TEST_CASE("a query whose endpoint is gone is listed with the reason, beside the others") {
  Fixture f;
  const Principal ann = Of("ann", "abc");
  REQUIRE(f.Save(ann, "gone", kCount).ok());
  REQUIRE(f.Save(ann, "there", kCount).ok());
  Replace(f.file("projects/abc/gone.json"), "\"logs.all\"", "\"logs.old\"");
  const auto queries = f.saved->List(ann, {});
  REQUIRE(queries.ok());
  REQUIRE(queries->size() == 2);
  CHECK(queries->front().problem == "the endpoint logs.old is not on this server any more");
  CHECK(queries->back().problem.empty());
  CHECK(f.saved->Get(ann, {.name = "gone"}, {})->problem == queries->front().problem);
  // The query's endpoint takes no SQL, or SQL in another language.
  Replace(f.file("projects/abc/gone.json"), "\"logs.old\"", "\"fixed.rows\"");
  CHECK(f.saved->Get(ann, {.name = "gone"}, {})->problem == "the endpoint fixed.rows takes no SQL any more");
  Replace(f.file("projects/abc/gone.json"), "\"fixed.rows\"", "\"logs.all.otel\"");
  CHECK(absl::StrContains(f.saved->Get(ann, {.name = "gone"}, {})->problem, "takes SQL in the language clickhouse"));
  REQUIRE(f.saved->Delete(ann, {.name = "gone"}, {}).ok());
  CHECK(f.Names(ann) == std::vector<std::string>{"abc/there"});
}

}  // namespace
}  // namespace logquery
