// A listener of Catch2 that calls what was asked for.
#include "tests/support/end_of_run.h"

#include <catch2/catch_all.hpp>
#include <utility>
#include <vector>

namespace logquery::testing {
namespace {

std::vector<std::function<void()>>& Releases() {
  static std::vector<std::function<void()>> releases;
  return releases;
}

class ReleaseListener : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats&) override {
    for (const auto& release : Releases()) release();
  }
};

CATCH_REGISTER_LISTENER(ReleaseListener)

}  // namespace

void AtEnd(std::function<void()> release) { Releases().push_back(std::move(release)); }

}  // namespace logquery::testing
