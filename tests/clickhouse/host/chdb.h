// ClickHouse's engine inside of this process: chDB, loaded at run time, whose C functions are declared here as its manual has
// them. Only the test host uses it.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_HOST_CHDB_H_
#define LOGQUERY_TESTS_CLICKHOUSE_HOST_CHDB_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace logquery::testing {

// An error as the engine words it: "Code: 60. DB::Exception: …".
struct EngineError {
  int code = 0;
  std::string words;
};

// The engine. One in a process; thread-safe.
class Chdb {
 public:
  // `arguments` are clickhouse-local's: "--path=DIR". Throws std::runtime_error.
  Chdb(const std::string& library, std::vector<std::string> arguments);

  // A session of its own, with settings of its own. Not thread-safe. After an error the engine gives what is left of the failed
  // query with the next answer, so a session that had one is not used again.
  class Session {
   public:
    explicit Session(const Chdb& engine);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    using Parameters = std::map<std::string, std::string>;

    // Runs the whole statement. Throws EngineError.
    std::string Run(std::string_view sql, std::string_view format, const Parameters& parameters = {});

    // Starts one that gives rows, which Next() hands over piece by piece; an empty piece is the end. Throw EngineError.
    void Start(std::string_view sql, std::string_view format, const Parameters& parameters);
    std::string Next();

   private:
    const Chdb& engine_;
    void** connection_;
    void* stream_ = nullptr;
    bool has_head_ = false;  // each piece begins with its columns' names and types, in the binary form
    std::string head_;
    bool is_first_ = true;
  };

 private:
  using Query = void* (*)(void*, const char*, size_t, const char*, size_t, const char* const*, const size_t*,
                          const char* const*, const size_t*, size_t);
  struct Functions {
    void** (*connect)(int, char**) = nullptr;
    void (*close)(void**) = nullptr;
    Query query = nullptr;
    Query stream = nullptr;
    void* (*fetch)(void*, void*) = nullptr;
    void (*cancel)(void*, void*) = nullptr;
    void (*destroy)(void*) = nullptr;
    const char* (*buffer)(void*) = nullptr;
    size_t (*length)(void*) = nullptr;
    const char* (*error)(void*) = nullptr;
  };

  static void* Call(Query query, void* connection, std::string_view sql, std::string_view format,
                    const Session::Parameters& parameters);
  // Takes the text of a result, which is then destroyed. Throws EngineError.
  std::string Take(void* result) const;

  Functions functions_;
  std::vector<std::string> arguments_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_HOST_CHDB_H_
