#include "shim/cli/folder/sample/sample_world.h"

#include <algorithm>
#include <array>

#include "shim/cli/folder/sample/sample_text.h"

namespace logquery::shim {
namespace {

constexpr int64_t kHourMicros = int64_t{3'600} * 1'000'000;

// Requests by hour of the day in UTC.
constexpr std::array<uint64_t, 24> kLoadByHour = {45, 38,  33,  30,  30,  34, 42, 55, 70, 82, 90, 95,
                                                  98, 100, 102, 104, 103, 98, 92, 85, 78, 70, 62, 53};

constexpr std::array<std::string_view, 10> kFunctionNames = {
    "hello-world",    "payment-webhook", "send-mail",    "thumbnail",       "naïve-search",
    "nightly-report", "chat-completion", "verify-phone", "übersetzung-api", "export-csv"};

std::string ProjectRef(SampleRandom& random) {
  std::string ref;
  for (int i = 0; i < 20; ++i) ref.push_back(static_cast<char>('a' + random.Below(26)));
  return ref;
}

}  // namespace

SampleWorld::SampleWorld(uint64_t seed, int projects, absl::Time start, absl::Time end)
    : start_(absl::ToUnixMicros(start)), end_(absl::ToUnixMicros(end)) {
  AddProjects(seed, projects);
  AddHours();
}

void SampleWorld::AddProjects(uint64_t seed, int count) {
  SampleRandom random(seed, "projects", 0);
  uint64_t busy = 0;
  for (int i = 0; i < count; ++i) {
    SampleProject project{ProjectRef(random), {}};
    const uint64_t functions = random.Between(1, 8);
    for (uint64_t f = 0; f < functions; ++f) {
      const uint64_t high = random.Next();
      const uint64_t low = random.Next();
      project.functions.push_back({Concat(Uuid{high, low}), std::string(random.Pick(kFunctionNames)),
                                   uint64_t{6} << random.Below(7), static_cast<int>(random.Between(1, 40))});
    }
    busy += (uint64_t{1} << 31) / static_cast<uint64_t>(i + 1);
    projects_.push_back(std::move(project));
    busy_before_.push_back(busy);
  }
}

void SampleWorld::AddHours() {
  for (int64_t at = start_; at < end_;) {
    const int64_t hour = at / kHourMicros;
    const int64_t length = std::min((hour + 1) * kHourMicros, end_) - at;
    const int64_t day = hour / 24;
    const bool weekend = (day + 4) % 7 % 6 == 0;  // 1970 began on a Thursday: 0 is Sunday, 6 Saturday
    // The shift keeps the product of a load and a row's position within 128 bits, and an hour's load above 0.
    const uint64_t load =
        kLoadByHour[static_cast<size_t>(hour % 24)] * (weekend ? 3 : 4) * static_cast<uint64_t>(length / 1'000 + 1);
    hours_.push_back({at, length, load_, load});
    load_ += load;
    at += length;
  }
}

size_t SampleWorld::PickProject(SampleRandom& random) const {
  // More projects than 32 bits of load can tell apart would need more rows than anybody makes.
  const uint64_t at =
      static_cast<uint64_t>((static_cast<unsigned __int128>(random.Next()) * busy_before_.back()) >> 64);
  return static_cast<size_t>(std::upper_bound(busy_before_.begin(), busy_before_.end(), at) - busy_before_.begin());
}

const SampleFunction& SampleWorld::PickFunction(SampleRandom& random, size_t project) const {
  const std::vector<SampleFunction>& functions = projects_[project].functions;
  // The smaller of two: a project's first function is the one that is used most.
  return functions[std::min(random.Below(functions.size()), random.Below(functions.size()))];
}

int64_t SampleWorld::ArrivalMicros(uint64_t position, uint64_t of) const {
  const auto target = static_cast<uint64_t>(static_cast<unsigned __int128>(position) * load_ / of);
  const auto after = std::upper_bound(hours_.begin(), hours_.end(), target,
                                      [](uint64_t load, const Hour& hour) { return load < hour.before; });
  const Hour& hour = *(after - 1);
  return hour.start + static_cast<int64_t>(static_cast<unsigned __int128>(target - hour.before) *
                                           static_cast<uint64_t>(hour.length) / hour.load);
}

}  // namespace logquery::shim
