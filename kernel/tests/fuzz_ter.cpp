// Fuzz target: the TER counter against the slow definition, for token ids and, under every
// combination of options, for text.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check.hpp"
#include "edits/ter.hpp"
#include "slow_ter.hpp"

namespace bleuet {
namespace {

constexpr std::size_t kLongest = 120;  // the slow definition takes the third power of it

struct Row {
  std::int64_t edits = -1;
  double length = -1;
};

// Numbers for the words of prepared text, which the slow definition compares.
slow::Words words_of(std::string_view text,
                     std::unordered_map<std::string, std::int64_t>& numbers) {
  slow::Words words;
  std::string word;
  const auto finish = [&] {
    if (word.empty()) return;
    words.push_back(numbers.emplace(word, static_cast<std::int64_t>(numbers.size())).first->second);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const Decoded decoded = decode(text, i);
    if (is_space(decoded.value)) {
      finish();
    } else {
      word.append(text.substr(i, decoded.size));
    }
    i += decoded.size;
  }
  finish();
  return words;
}

TerCounter::Options options_of(std::uint8_t bits) {
  TerCounter::Options options;
  options.normalized = (bits & 1) != 0;
  options.no_punct = (bits & 2) != 0;
  options.asian_support = (bits & 4) != 0;
  options.letter_case = (bits & 8) != 0 ? Case::keep : Case::lower_ascii;
  options.tokenize_references_once = (bits & 16) != 0;
  return options;
}

void compare_ids(const std::uint8_t* data, std::size_t size, std::size_t split) {
  slow::Words all(data, data + size);
  const slow::Words hypothesis(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(split));
  const slow::Words reference(all.begin() + static_cast<std::ptrdiff_t>(split), all.end());
  TerCounter counter({});
  TerCounter::Reference prepared;
  counter.prepare_ids(reference.data(), reference.size(), prepared);
  Row row;
  counter.count_ids(hypothesis.data(), hypothesis.size(), &prepared, 1, &row.edits, &row.length);
  check(row.edits == slow::edits(hypothesis, reference), "edits of token ids");
  check(row.length == static_cast<double>(reference.size()), "length of token ids");
}

void compare_text(const Text& hypothesis, const Text& reference,
                  const TerCounter::Options& options) {
  TerCounter counter(options);
  TerCounter::Reference prepared;
  counter.prepare(reference, prepared);
  TerCounter::trim(prepared);
  Row row;
  counter.count(hypothesis, &prepared, 1, &row.edits, &row.length);

  TercomTokenizer tokenizer({options.normalized, options.no_punct, options.asian_support});
  std::unordered_map<std::string, std::int64_t> numbers;
  std::vector<char> buffer;
  const slow::Words ours =
      words_of(tokenizer.prepare(hypothesis, options.letter_case, 1, buffer), numbers);
  const int times = options.tokenize_references_once ? 1 : 2;
  const slow::Words theirs =
      words_of(tokenizer.prepare(reference, options.letter_case, times, buffer), numbers);
  check(row.edits == slow::edits(ours, theirs), "edits of text");
  check(row.length == static_cast<double>(theirs.size()), "length of text");
}

template <class Unit>
void compare_units(const std::uint8_t* data, std::size_t size, std::size_t split,
                   const TerCounter::Options& options) {
  const std::size_t n = size / sizeof(Unit);
  std::vector<Unit> units(n);
  if (n != 0) std::memcpy(units.data(), data, n * sizeof(Unit));
  bool ascii = true;
  for (Unit& unit : units) {
    if constexpr (sizeof(Unit) == 4) unit %= 0x110000;
    ascii = ascii && unit < 0x80;
  }
  split = n == 0 ? 0 : split % (n + 1);
  const auto unit_size = static_cast<std::uint8_t>(sizeof(Unit));
  // Only a one-byte string may call itself ASCII, as in CPython.
  ascii = ascii && unit_size == 1;
  compare_text({units.data(), split, unit_size, ascii},
               {units.data() + split, n - split, unit_size, ascii}, options);
}

}  // namespace
}  // namespace bleuet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bleuet;
  if (size < 3) return 0;
  const std::uint8_t mode = data[0];
  const std::uint8_t bits = data[1];
  std::size_t split = data[2];
  data += 3;
  size = std::min(size - 3, kLongest);
  split %= size + 1;
  if (mode % 4 == 0) {
    compare_ids(data, size, split);
  } else if (mode % 4 == 1) {
    compare_units<std::uint8_t>(data, size, split, options_of(bits));
  } else if (mode % 4 == 2) {
    compare_units<std::uint16_t>(data, size, split, options_of(bits));
  } else {
    compare_units<std::uint32_t>(data, size, split, options_of(bits));
  }
  return 0;
}
