// METEOR's alignments of drawn texts: short ones in stages against all alignments there are, long
// ones by both searches for what every alignment must be.
#include <algorithm>
#include <random>
#include <string>
#include <tuple>

#include "check.hpp"
#include "meteor/alignment.hpp"
#include "meteor/lexicon.hpp"
#include "meteor/normalizer.hpp"
#include "meteor/stages.hpp"
#include "stored.hpp"
#include "text/tokenizer.hpp"

namespace {

using bleuet::Matcher;
using bleuet::MeteorLexicon;
using bleuet::MeteorMatch;
using bleuet::MeteorText;
using bleuet_tests::Stored;
using Ids = std::vector<std::int64_t>;
using Pairs = std::vector<std::pair<int, int>>;  // words of the hypothesis and the reference
using Key = std::tuple<int, int, int>;           // fewer pairs, crossings, chunks

Key key_of(const Pairs& pairs) {
  int crossings = 0;
  int chunks = 0;
  for (const auto& [i, j] : pairs) {
    const std::pair<int, int> before{i - 1, j - 1};
    chunks += std::find(pairs.begin(), pairs.end(), before) == pairs.end();
    for (const auto& [a, b] : pairs) crossings += a < i && b > j;
  }
  return {-static_cast<int>(pairs.size()), crossings, chunks};
}

// The best key of all alignments where equal words match, of the words of the reference from j on.
Key best_of(const Ids& ours, const Ids& theirs, std::size_t j, Pairs& pairs) {
  if (j == theirs.size()) return key_of(pairs);
  Key best = best_of(ours, theirs, j + 1, pairs);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto taken = [&](const auto& pair) { return pair.first == static_cast<int>(i); };
    if (ours[i] != theirs[j] || std::any_of(pairs.begin(), pairs.end(), taken)) continue;
    pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
    best = std::min(best, best_of(ours, theirs, j + 1, pairs));
    pairs.pop_back();
  }
  return best;
}

Pairs pairs_of(const std::vector<MeteorMatch>& matches) {
  Pairs pairs;
  for (const MeteorMatch& match : matches) {
    pairs.emplace_back(static_cast<int>(match.hypothesis), static_cast<int>(match.reference));
  }
  return pairs;
}

bool each_word_once(Pairs pairs, const Ids& ours, const Ids& theirs) {
  std::vector<bool> hypothesis(ours.size()), reference(theirs.size());
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    const auto i = static_cast<std::size_t>(pair.first);
    const auto j = static_cast<std::size_t>(pair.second);
    const bool is_free = !hypothesis[i] && !reference[j];
    hypothesis[i] = reference[j] = true;
    return is_free;
  });
}

class Draws {
 public:
  explicit Draws(unsigned seed) : rng_(seed) {
    for (int word = 0; word < 8; ++word) {
      std::vector<std::int64_t> synonyms;
      for (int n = number(3); n > 0; --n) synonyms.push_back(number(5));
      const Stored name(std::u32string(1, static_cast<char32_t>('a' + word)));
      bleuet::TokenizerScratch scratch;
      bleuet::TokenList tokens;
      tokenize(bleuet::Tokenizer::none, name.view(), bleuet::Case::keep, scratch, tokens);
      lexicon.add(tokens, tokens[0], std::to_string(number(4)), false, synonyms);
    }
  }

  int number(int most) { return static_cast<int>(rng_() % static_cast<unsigned>(most)); }
  Ids ids(int longest) {
    Ids found(static_cast<std::size_t>(number(longest)));
    for (std::int64_t& id : found) id = number(8);
    return found;
  }
  MeteorText text(const Ids& ids) const {
    MeteorText found;
    found.assign(ids.data(), ids.size(), lexicon);
    return found;
  }

  MeteorLexicon lexicon;

 private:
  std::mt19937 rng_;
};

void test_short(Draws& draws) {
  bleuet::MeteorStages stages;
  for (int round = 0; round < 300; ++round) {
    const Ids ours = draws.ids(7);
    const Ids theirs = draws.ids(7);
    const auto& found =
        stages.align(draws.text(ours), draws.text(theirs), {Matcher::exact}, 1000, draws.lexicon);
    Pairs none;
    check(key_of(pairs_of(found)) == best_of(ours, theirs, 0, none), "the best of all alignments");
  }
}

void test_long(Draws& draws) {
  const std::vector<Matcher> matchers{Matcher::exact, Matcher::stem, Matcher::synonym};
  bleuet::MeteorStages stages;
  bleuet::MeteorAligner aligner;
  for (int round = 0; round < 60; ++round) {
    const Ids ours = draws.ids(150);
    const Ids theirs = draws.ids(150);
    const MeteorText texts[] = {draws.text(ours), draws.text(theirs)};
    const auto beam = static_cast<std::size_t>(1 + draws.number(40));
    for (const auto& found : {stages.align(texts[0], texts[1], matchers, beam, draws.lexicon),
                              aligner.align(texts[0], texts[1], matchers, beam, draws.lexicon)}) {
      check(each_word_once(pairs_of(found), ours, theirs), "a word is in one pair");
    }
  }
}

bool spans_once(const std::vector<MeteorMatch>& matches, std::size_t words, bool hypothesis) {
  std::vector<bool> used(words);
  for (const MeteorMatch& match : matches) {
    const std::size_t start = hypothesis ? match.hypothesis : match.reference;
    const std::size_t n = hypothesis ? match.hypothesis_words : match.reference_words;
    for (std::size_t k = start; k < start + n; ++k) {
      if (used.at(k)) return false;
      used[k] = true;
    }
  }
  return true;
}

void test_phrases(Draws& draws) {
  const std::string table = "0.5\na b\nc\n0.5\nc\na b\n0.5\nd\ne f g\n0.5\nh\nh h\n0.1\nc\nd d";
  for (const char byte : table) draws.lexicon.read_paraphrases({&byte, 1});
  check(draws.lexicon.close_paraphrases() == 5, "the entries of a table");
  const std::vector<Matcher> matchers{Matcher::exact, Matcher::stem, Matcher::synonym,
                                      Matcher::paraphrase};
  bleuet::MeteorAligner aligner;
  std::size_t phrases = 0;
  for (int round = 0; round < 200; ++round) {
    const Ids ours = draws.ids(80);
    const Ids theirs = draws.ids(80);
    const auto beam = static_cast<std::size_t>(1 + draws.number(40));
    const auto& found =
        aligner.align(draws.text(ours), draws.text(theirs), matchers, beam, draws.lexicon);
    check(spans_once(found, ours.size(), true) && spans_once(found, theirs.size(), false),
          "a word is in one match");
    for (const MeteorMatch& match : found) phrases += match.matcher == Matcher::paraphrase;
  }
  check(phrases > 20, "phrases match");
}

void test_normalizer(Draws& draws) {
  const bleuet::MeteorNormalizer normalize({{U"Mr", false}, {U"No", true}},
                                           bleuet::MeteorNormalizer::Apostrophes::english);
  bleuet::MeteorNormalizer::Scratch scratch;
  check(normalize(Stored(U"Don't re-use No. 5 (U.S.) of Mr. X.").view(), scratch) ==
            U"Don 't re use No. 5 ( US ) of Mr. X .",
        "a normalized text");
  const std::u32string pool = U"aZ09.'`,- \u2019\u201C\u3000\u0130\u65E5\U0001F600%";
  for (int round = 0; round < 2000; ++round) {
    std::u32string text(static_cast<std::size_t>(draws.number(20)), U' ');
    for (char32_t& c : text) c = pool[static_cast<std::size_t>(draws.number(18))];
    const std::u32string& once = normalize(Stored(text).view(), scratch);
    check(once.find(U"  ") == std::u32string::npos, "one space between tokens");
  }
}

}  // namespace

namespace bleuet {

void test_meteor() {
  Draws draws(11);
  test_short(draws);
  test_long(draws);
  test_phrases(draws);
  test_normalizer(draws);
}

}  // namespace bleuet
