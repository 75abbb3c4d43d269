// logquery_conformance: answers the conformance kit's requests, a line of JSON for a line of JSON.
//
//     python3 ../shared/conformance/run.py --program build/bin/logquery_conformance
#include <iostream>
#include <string>

#include "tests/conformance/answerer.h"

int main() {
  absl::StatusOr<std::unique_ptr<logquery::conformance::Answerer>> answerer = logquery::conformance::Answerer::Open();
  if (!answerer.ok()) {
    std::cerr << answerer.status() << '\n';
    return 1;
  }
  std::string line;
  while (std::getline(std::cin, line)) std::cout << (*answerer)->Answer(line) << std::endl;
  return 0;
}
