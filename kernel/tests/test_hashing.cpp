// Numbers of words and of pairs: exact whatever the hashes are.
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "meteor/lexicon.hpp"
#include "ngrams/ngram_groups.hpp"
#include "ngrams/number_masks.hpp"
#include "ngrams/number_pairs.hpp"
#include "text/digest.hpp"
#include "text/text.hpp"
#include "text/tokenizer.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {
namespace {

// Words of up to 16 bytes, which a token holds, and longer ones, of which it holds a hash.
void test_words() {
  Vocabulary vocabulary;
  TokenList tokens;
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) {
    words.push_back(std::string(static_cast<std::size_t>(i % 20), 'x') + std::to_string(i));
  }
  for (int times = 0; times < 2; ++times) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string padded = words[i] + std::string(kPadding, '\0');
      tokenize_none(std::string_view(padded).substr(0, words[i].size()), tokens);
      check(vocabulary.number_of(tokens, tokens[0]) == static_cast<std::int32_t>(i), "its number");
      check(vocabulary[i] == words[i], "its text");
    }
  }
  check(vocabulary.size() == words.size(), "every word once");
}

// Long words of one size and one beginning, and of one hash, are compared by their bytes.
void test_equal_hashes() {
  const std::string bytes =
      std::string(17, 'x') + "y " + std::string(17, 'x') + "z" + std::string(kPadding, '\0');
  TokenList tokens;
  tokenize_none(std::string_view(bytes).substr(0, 37), tokens);
  check(tokens.size() == 2, "two words");
  Token other = tokens[1];
  other.high = tokens[0].high;
  Vocabulary vocabulary;
  check(vocabulary.number_of(tokens, tokens[0]) == 0, "the first word");
  check(vocabulary.number_of(tokens, other) == 1, "another word with its hash");
  check(vocabulary.find(tokens, tokens[0]) == 0 && vocabulary.find(tokens, other) == 1, "found");
}

// A list that is kept has the text of long words only.
void test_words_of_kept_lists() {
  const std::vector<std::string> words = {"a", "12345678", "123456789", std::string(16, 'x'),
                                          std::string(17, 'x')};
  TokenList tokens;
  {
    std::string bytes(5000, ' ');
    for (const std::string& word : words) bytes += word + ' ';
    bytes.resize(bytes.size() + kPadding);
    tokenize_none(std::string_view(bytes).substr(0, bytes.size() - kPadding), tokens);
    tokens.own_text();
  }
  Vocabulary vocabulary;
  for (std::size_t i = 0; i < words.size(); ++i) {
    check(vocabulary.number_of(tokens, tokens[i]) == static_cast<std::int32_t>(i), "its number");
    check(vocabulary[i] == words[i], "its text");
  }
}

// FNV-1a gives both words the same 64 bits.
void test_phrases() {
  MeteorLexicon lexicon;
  lexicon.read_paraphrases(
      "0.5\nrY4Q99SwXml\ndog\n0.5\na b\nc\n0.5\na b\nd\n0.5\na b\nc\n0.1\n  x \na");
  check(lexicon.close_paraphrases() == 5, "the entries");
  const Paraphrases& paraphrases = lexicon.paraphrases();
  const std::string text = "rY4Q99SwXml H43ntn0-phi a b c d dog x" + std::string(kPadding, '\0');
  TokenList words;
  split_meteor_words(std::string_view(text).substr(0, text.size() - kPadding), words);
  Vocabulary all;
  std::vector<Paraphrases::Known> known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    all.number_of(words, words[i]);
    known.push_back(paraphrases.extend(0, paraphrases.word(all, i)));
  }
  check(known[0].phrase && !known[0].begins, "a word with a paraphrase");
  check(known[1].number == kUnknown && !known[1].phrase, "another word with its hash");
  check(known[2].phrase && known[2].begins && !known[3].phrase, "the beginning of a phrase");
  const Paraphrases::Known both = paraphrases.extend(known[2].number, paraphrases.word(all, 3));
  check(both.phrase && !both.begins, "a phrase");
  const Paraphrases::Others others = paraphrases.others(both.number);
  check(others.end - others.begin == 2 && others.begin[0] == known[4].number &&
            others.begin[1] == known[5].number,
        "what it leads to, each once and in order");
  check(paraphrases.others(known[7].number).begin[0] == known[2].number, "spaces do not count");
  check(paraphrases.extend(known[3].number, 0).number == kUnknown, "no phrase begins so");
}

void test_pairs() {
  constexpr std::uint32_t kSide = 60;
  NumberPairs pairs(kSide * kSide);
  // Keys that differ in few bits, from both ends of the numbers.
  const auto number = [](std::uint32_t i) { return i % 2 == 0 ? i : ~i; };
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    const std::uint32_t first = number(i / kSide), second = number(i % kSide);
    check(pairs.find(first, second) == kUnknown, "not yet known");
    pairs.number_of(first, second) = i;
  }
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    check(pairs.find(number(i / kSide), number(i % kSide)) == i, "the number of a pair");
  }
}

// Where a word stands, of as many words as there is room for.
void test_masks() {
  for (std::uint32_t factor : {1u, 3u, 1u << 8, 1u << 24, 0x9E3779B1u}) {
    std::vector<std::uint32_t> words(kFewTokens);
    for (std::uint32_t i = 0; i < kFewTokens; ++i) words[i] = (i % 40) * factor;
    const NumberMasks masks(WordNumbers{words.data(), words.size()});
    for (std::uint32_t i = 0; i < 60; ++i) {
      std::uint64_t mask = 0;
      for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at] == i * factor) mask |= std::uint64_t{1} << at;
      }
      check(masks[i * factor] == mask, "the places of a word");
    }
  }
}

void test_large_counts() {
  Counts counts;
  counts.add_zeros(2);
  std::int64_t sum = 0;
  for (const std::uint32_t one : {1u, 253u, 1u, 1u, 254u, 100000u}) {
    counts.add(1, one);
    sum += one;
    check(counts[1] == sum && counts[0] == 0, "small and large counts");
  }
}

// By hashlib.blake2b(..., digest_size=32): of nothing, of a whole block, and of one byte more.
void test_digests() {
  const std::string block(128, 'x');
  const Digest nothing = {0xB243E526C051570EULL, 0xA1DA9960B02EABE8ULL, 0x87778F7747DFE5D1ULL,
                          0xA8E32FF1CD45ABFAULL};
  const Digest one_block = {0xF5E6BA8970FB4F16ULL, 0xC91D755E79B02FA6ULL, 0xFAB2A5E192AC8EE8ULL,
                            0x3B9C2DBF5AA293FEULL};
  const Digest longer = {0x9C241DA78F75B003ULL, 0x6E99B9A204236C84ULL, 0xF928557EFA6FE66AULL,
                         0x8DFC60A389E012E6ULL};
  check(digest_of("") == nothing, "the digest of nothing");
  check(digest_of(block) == one_block, "the digest of a block");
  check(digest_of(block + "x") == longer, "the digest of more than a block");
  Digest sum = {~0ULL, ~0ULL, 5, ~0ULL};
  add(sum, {1, 0, 0, 1});
  check(sum == Digest{0, 0, 6, 0}, "a sum of 256 bits");
}

}  // namespace

void test_hashing() {
  test_words();
  test_equal_hashes();
  test_words_of_kept_lists();
  test_phrases();
  test_pairs();
  test_masks();
  test_large_counts();
  test_digests();
}

}  // namespace bleuet
