// The dictionary of a log's new rows: whose rows it is trained on, when it is replaced, and that it goes with its rows.
#include "lib/store/rows/log_dictionary.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace logquery::store {
namespace {

constexpr int64_t kDay = int64_t{24} * 60 * 60 * 1'000'000;
constexpr int64_t kNow = 20'000 * kDay + 1;
constexpr LogDictionary::When kWhen = {.now = kNow, .open_from = kNow - kDay};

std::string Packed(int i, bool is_old) {
  return absl::StrCat(is_old ? "earlier " : "", "metadata of a request, GET /rest/v1/table/", i,
                      ", status 200, from Frankfurt");
}

// Offers `rows` records, one after the other as projects p0, p1, … in turn.
void Offer(LogDictionary& dictionary, int rows, int projects, int64_t time = kNow, LogDictionary::When when = kWhen) {
  for (int i = 0; i < rows; ++i) {
    const std::string project = absl::StrCat("p", i % projects), packed = Packed(i, time < kWhen.open_from);
    dictionary.Offer({{StringRef(project), time, packed}}, when);
  }
}

TEST_CASE("a dictionary is trained once there are enough records") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  CHECK(dictionary.wants_samples(kWhen));
  Offer(dictionary, 511, 32);
  CHECK(dictionary.current() == nullptr);
  Offer(dictionary, 1, 1);
  const auto first = dictionary.current();
  REQUIRE(first != nullptr);
  CHECK(all.Find(first->id()) == first);
  CHECK(!dictionary.wants_samples(kWhen));
  Offer(dictionary, 2'000, 32);
  CHECK(dictionary.current() == first);
}

TEST_CASE("on the next day another dictionary is tried, and replaces the first if it is better") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  Offer(dictionary, 600, 40);
  const auto first = dictionary.current();
  REQUIRE(first != nullptr);
  const LogDictionary::When tomorrow = {kNow + kDay, kNow};
  CHECK(dictionary.wants_samples(tomorrow));
  Offer(dictionary, 1'200, 40, kNow, tomorrow);
  CHECK(dictionary.current() == first);
  CHECK(!dictionary.wants_samples(tomorrow));

  const LogDictionary::When later = {kNow + 2 * kDay, kNow + kDay};
  for (int i = 0; i < 600; ++i) {
    const std::string packed = absl::StrCat("wholly other records since a deployment, of kind ", i % 9, ", number ", i);
    const std::string project = absl::StrCat("p", i % 40);
    dictionary.Offer({{StringRef(project), later.now, packed}}, later);
  }
  CHECK(dictionary.current() != first);
  CHECK(all.Find(first->id()) == first);
}

TEST_CASE("a dictionary of a week is replaced, and the oldest of very many goes") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  Offer(dictionary, 600, 40);
  const auto first = dictionary.current();
  LogDictionary::When when = {kNow + 6 * kDay, kNow + 5 * kDay};
  Offer(dictionary, 600, 40, when.now, when);
  CHECK(dictionary.current() == first);
  const auto go_on = [&](size_t week) {
    const auto before = dictionary.current();
    when = {kNow + static_cast<int64_t>(week) * 7 * kDay, kNow};
    for (int i = 0; i < 600; ++i) {
      const std::string packed = absl::StrCat("week ", week, " ", Packed(i, false)),
                        project = absl::StrCat("p", i % 40);
      dictionary.Offer({{StringRef(project), when.now, packed}}, when);
    }
    CHECK(dictionary.current() != before);
  };
  for (size_t week = 1; week < LogDictionary::kMost; ++week) go_on(week);
  CHECK(all.Find(first->id()) == first);
  go_on(LogDictionary::kMost);
  CHECK(all.Find(first->id()) == nullptr);
  CHECK(dictionary.unstored().size() == LogDictionary::kMost);
}

TEST_CASE("a project with most of the rows has few of the samples") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  // 32 of its first rows, and one in sixteen of all of them.
  Offer(dictionary, 8'100, 1);
  CHECK(dictionary.current() == nullptr);
  Offer(dictionary, 100, 1);
  REQUIRE(dictionary.current() != nullptr);
  CHECK(dictionary.unstored()[0].projects == base::StringSet{"p0"});
}

TEST_CASE("samples are of all rows that are offered together, in whichever order they are") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  std::vector<std::string> projects, packed;
  for (int i = 0; i < 2'048; ++i) {
    projects.push_back(absl::StrCat("p", i / 64));
    packed.push_back(Packed(i, false));
  }
  std::vector<LogDictionary::Sample> samples;
  for (size_t i = 0; i < packed.size(); ++i) samples.push_back({StringRef(projects[i]), kNow, packed[i]});
  dictionary.Offer(samples, kWhen);
  CHECK(dictionary.current() == nullptr);
  dictionary.Offer(samples, kWhen);
  REQUIRE(dictionary.current() != nullptr);
  CHECK(dictionary.unstored()[0].projects.size() == 32);
}

TEST_CASE("records of which no dictionary can be made are tried once a day") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  const auto offer = [&](const LogDictionary::When& when) {
    for (int i = 0; i < 600; ++i) {
      const std::string project = absl::StrCat("p", i % 40);
      dictionary.Offer({{StringRef(project), when.now, ""}}, when);
    }
  };
  offer(kWhen);
  CHECK(dictionary.current() == nullptr);
  CHECK(!dictionary.wants_samples(kWhen));
  const LogDictionary::When tomorrow = {kNow + kDay, kNow};
  CHECK(dictionary.wants_samples(tomorrow));
  Offer(dictionary, 600, 40, tomorrow.now, tomorrow);
  CHECK(dictionary.current() != nullptr);
}

TEST_CASE("very long records are no samples") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  const std::string packed(LogDictionary::kMostSampleBytes + 1, 'x');
  for (int i = 0; i < 10'000; ++i) dictionary.Offer({{StringRef(std::string_view("p")), kNow, packed}}, kWhen);
  CHECK(dictionary.current() == nullptr);
}

TEST_CASE("rows of open days train another dictionary than those of closed days") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  Offer(dictionary, 600, 40, kNow - 5 * kDay);
  const auto of_closed = dictionary.current();
  REQUIRE(of_closed != nullptr);
  CHECK(dictionary.unstored()[0].oldest == kNow - 5 * kDay);
  // Rows of closed days have one now.
  Offer(dictionary, 600, 40, kNow - 4 * kDay);
  CHECK(dictionary.current() == of_closed);
  CHECK(dictionary.wants_samples(kWhen));
  Offer(dictionary, 600, 41);
  CHECK(dictionary.current() != of_closed);
  CHECK(!dictionary.wants_samples(kWhen));
}

TEST_CASE("a dictionary is forgotten with the rows that it was trained on") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  const auto train = [&](int projects, int64_t time) {
    Offer(dictionary, 600, projects, time);
    return dictionary.current()->id();
  };
  const uint32_t closed = train(40, kNow - 5 * kDay), open = train(30, kNow);
  dictionary.Forget("nobody", std::nullopt);
  dictionary.Forget(std::nullopt, kNow - 5 * kDay);
  CHECK(dictionary.unstored().size() == 2);
  dictionary.Forget("p1", kNow - 5 * kDay + 1);
  CHECK(all.Find(closed) == nullptr);
  CHECK(all.Find(open) != nullptr);
  dictionary.Forget("p35", std::nullopt);
  CHECK(dictionary.current() != nullptr);
  dictionary.Forget("p1", std::nullopt);
  CHECK(all.Find(open) == nullptr);
  CHECK(dictionary.current() == nullptr);
  CHECK(dictionary.unstored().empty());
}

TEST_CASE("a dictionary stays as long as another of the same bytes does") {
  backend::RecordDictionaries all;
  LogDictionary one(&all), other(&all);
  Offer(one, 600, 40);
  Offer(other, 600, 40);
  const uint32_t id = one.current()->id();
  REQUIRE(other.current()->id() == id);
  one.Forget("p1", std::nullopt);
  CHECK(all.Find(id) != nullptr);
  other.Forget("p1", std::nullopt);
  CHECK(all.Find(id) == nullptr);
}

TEST_CASE("samples are forgotten, too") {
  backend::RecordDictionaries all;
  LogDictionary dictionary(&all);
  Offer(dictionary, 500, 32);
  dictionary.Forget("p1", std::nullopt);
  Offer(dictionary, 500, 32);
  CHECK(dictionary.current() == nullptr);
  Offer(dictionary, 100, 32);
  CHECK(dictionary.current() != nullptr);
}

TEST_CASE("stored dictionaries are restored in any order, and the last one is used") {
  backend::RecordDictionaries all;
  LogDictionary first(&all);
  Offer(first, 600, 40, kNow - 5 * kDay);
  Offer(first, 600, 41);
  std::vector<TrainedDictionary> trained = first.unstored();
  REQUIRE(trained.size() == 2);
  trained[1].trained_at += 1;  // as the clock does between the two
  for (const bool reversed : {false, true}) {
    backend::RecordDictionaries read;
    LogDictionary dictionary(&read);
    dictionary.Restore(trained[reversed ? 1 : 0]);
    dictionary.Restore(trained[reversed ? 0 : 1]);
    CHECK(dictionary.current() == trained[1].dictionary);
    CHECK(read.Find(trained[0].dictionary->id()) != nullptr);
    CHECK(dictionary.unstored().empty());
  }
  for (const TrainedDictionary& one : first.unstored()) first.NoteStored(one.dictionary->id());
  CHECK(first.unstored().empty());
}

}  // namespace
}  // namespace logquery::store
