// The words that GoogleSQL reserves: as names they are written in back-quotes.
//
// Source: GoogleSQL's lexical structure, "Reserved keywords".
#ifndef LOGQUERY_LIB_MODEL_RESERVED_WORDS_H_
#define LOGQUERY_LIB_MODEL_RESERVED_WORDS_H_

#include <string_view>

namespace logquery::model {

// Ignores letter case.
bool IsReservedWord(std::string_view word);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_RESERVED_WORDS_H_
