// The part of the backend contract about scalar functions of the embedding program.
#ifndef LOGQUERY_LIB_TESTING_CONTRACT_FUNCTIONS_H_
#define LOGQUERY_LIB_TESTING_CONTRACT_FUNCTIONS_H_

#include <vector>

#include "logquery/testing/backend_contract.h"

namespace logquery::testing {

// Adds queries that call the functions of RegisterContractFunctions, if they are registered.
void AddFunctionQueries(std::vector<ContractQuery>& queries);

}  // namespace logquery::testing

#endif  // LOGQUERY_LIB_TESTING_CONTRACT_FUNCTIONS_H_
