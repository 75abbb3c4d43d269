// MCP over standard input and output: lines, their limits, and requests that run at the same time.
#include "shim/cli/query/mcp_stream.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <streambuf>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;

std::string Request(int id, const std::string& method = "ping") {
  return Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}}.dump();
}

// Answers each message with its text.
void Echo(std::string_view message, const CancellationToken&, const McpStream::Done& done) {
  done(Json{{"echo", message}}.dump());
}

std::vector<Json> LinesOf(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

std::vector<Json> Serve(const std::string& input, McpStream::Handle handle = Echo) {
  std::istringstream in(input);
  std::ostringstream out;
  McpStream stream(std::move(handle), out);
  CHECK(stream.Serve(in));
  return LinesOf(out.str());
}

TEST_CASE("each line is a message, and each answer a line") {
  const std::vector<Json> answers = Serve(Request(1) + "\n" + Request(2) + "\r\n\n  \n" + Request(3));
  REQUIRE(answers.size() == 3);
  CHECK(Json::parse(answers[0]["echo"].get<std::string>())["id"] == 1);
  CHECK(Json::parse(answers[2]["echo"].get<std::string>())["id"] == 3);
  CHECK(Serve("").empty());
}

TEST_CASE("a line that is too long is skipped, and the next one is read") {
  const std::vector<Json> answers = Serve(std::string(3 << 20, 'x') + "\n" + Request(1) + "\n");
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["error"]["code"] == -32600);
  CHECK(answers[1].contains("echo"));
}

TEST_CASE("a message without an answer writes nothing") {
  const auto silent = [](std::string_view, const CancellationToken&, const McpStream::Done& done) { done(""); };
  CHECK(Serve(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
              "\n",
              silent)
            .empty());
}

// Keeps requests until it is told to answer.
class Held {
 public:
  McpStream::Handle Handle() {
    return [this](std::string_view message, const CancellationToken& token, const McpStream::Done& done) {
      const int id = Json::parse(message)["id"];
      absl::MutexLock lock(&mutex_);
      tokens_[id] = token;
      done_[id] = done;
    };
  }
  void AwaitAll(size_t count) {
    absl::MutexLock lock(&mutex_);
    const auto are_there = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return done_.size() >= count; };
    mutex_.Await(absl::Condition(&are_there));
  }
  size_t count() {
    absl::MutexLock lock(&mutex_);
    return done_.size();
  }
  bool IsCancelled(int id) {
    absl::MutexLock lock(&mutex_);
    return tokens_[id].IsCancelled();
  }
  void Answer(int id) {
    McpStream::Done done;
    {
      absl::MutexLock lock(&mutex_);
      done = done_[id];
    }
    done(Json{{"answer", id}}.dump());
  }

 private:
  absl::Mutex mutex_;
  std::map<int, CancellationToken> tokens_ ABSL_GUARDED_BY(mutex_);
  std::map<int, McpStream::Done> done_ ABSL_GUARDED_BY(mutex_);
};

TEST_CASE("requests run at the same time, and a cancelled one gets no answer") {
  Held held;
  std::istringstream in(Request(1) + "\n" + Request(2) + "\n" +
                        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                        "\n"
                        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})"
                        "\n"
                        R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"
                        "\n" +
                        Request(3) + "\n");
  std::ostringstream out;
  McpStream stream(held.Handle(), out);
  std::thread serving([&] { CHECK(stream.Serve(in)); });
  held.AwaitAll(3);
  CHECK(held.IsCancelled(1));
  CHECK_FALSE(held.IsCancelled(2));
  for (const int id : {3, 1, 2}) held.Answer(id);
  serving.join();
  CHECK(LinesOf(out.str()) == std::vector<Json>{{{"answer", 3}}, {{"answer", 2}}});
}

TEST_CASE("an id that is in use is refused, and free again afterwards") {
  Held held;
  std::istringstream in(Request(1) + "\n" + Request(1, "tools/list") + "\n" + Request(2) + "\n");
  std::ostringstream out;
  McpStream stream(held.Handle(), out);
  std::thread serving([&] { CHECK(stream.Serve(in)); });
  held.AwaitAll(2);
  held.Answer(1);
  held.Answer(2);
  serving.join();
  const std::vector<Json> lines = LinesOf(out.str());
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["error"]["message"] == "a request with this id is still running");
  CHECK(Serve(Request(1) + "\n" + Request(1) + "\n").size() == 2);
}

TEST_CASE("a client that sends a million requests without reading answers has a bounded number run") {
  Held held;
  std::string input;
  for (int id = 0; id < 10 * McpStream::kMaxRunning; ++id) input += Request(id) + "\n";
  std::istringstream in(input);
  std::ostringstream out;
  McpStream stream(held.Handle(), out);
  std::thread serving([&] { CHECK(stream.Serve(in)); });
  held.AwaitAll(McpStream::kMaxRunning);
  CHECK(held.count() == McpStream::kMaxRunning);
  for (int id = 0; id < 10 * McpStream::kMaxRunning; ++id) {
    held.AwaitAll(static_cast<size_t>(id) + 1);
    CHECK(held.count() <= static_cast<size_t>(id) + McpStream::kMaxRunning);
    held.Answer(id);
  }
  serving.join();
  CHECK(LinesOf(out.str()).size() == 10 * McpStream::kMaxRunning);
}

TEST_CASE("when the client reads no more, what runs is cancelled and reading ends") {
  // Takes nothing.
  struct Closed : std::streambuf {
  } closed;
  std::ostream out(&closed);
  Held held;
  std::istringstream in(Request(1) + "\n" + Request(2) + "\n");
  McpStream stream(held.Handle(), out);
  bool is_written = true;
  std::thread serving([&] { is_written = stream.Serve(in); });
  held.AwaitAll(2);
  held.Answer(1);
  CHECK(held.IsCancelled(2));
  held.Answer(2);
  serving.join();
  CHECK_FALSE(is_written);
}

}  // namespace
}  // namespace logquery::shim
