// Runs the backend contract as sections of a Catch2 test case.
//
//     TEST_CASE("my backend keeps the contract") { RunContract([] { return std::make_unique<MyHarness>(); }); }
#ifndef LOGQUERY_TESTS_CONTRACT_CONTRACT_RUNNER_H_
#define LOGQUERY_TESTS_CONTRACT_CONTRACT_RUNNER_H_

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>

#include "logquery/testing/backend_contract.h"

namespace logquery::testing {

inline void RunContract(const std::function<std::unique_ptr<ContractHarness>()>& make_harness) {
  for (const ContractCheck& check : BackendContract()) {
    DYNAMIC_SECTION(check.name) {
      const std::unique_ptr<ContractHarness> harness = make_harness();
      const absl::Status status = check.run(*harness);
      INFO(status.ToString());
      CHECK(status.ok());
    }
  }
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CONTRACT_CONTRACT_RUNNER_H_
