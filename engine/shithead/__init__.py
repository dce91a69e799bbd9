"""Shithead (Palace, Shed, Karma): its rules as data, its states, its referee.

To learn the game by reading, take the modules in this order:

1. The rules: ``options`` (what may be chosen), ``rules`` and ``rulesets/*.toml`` (what was), ``table`` (what goes on
   what), ``explain`` (all of it in words).
2. The game known whole: ``state``, ``dealing``, ``moves``, ``play`` (what a move does), ``legal`` (what may be done),
   ``refusal`` (why not); ``bots`` and ``simulate`` play it, ``text`` writes states down.
3. The game seen in part: ``events`` (what was seen or said), ``likely`` (where each card can be), ``belief`` (what may
   be so), ``folding`` (one event more). That asks ``laying``, ``judging`` and ``adding`` (cards on the pile),
   ``happening`` (piles that go, what people say), ``standing`` (plays against the rules), ``drawing`` (the stock) and
   ``spreading`` (the deal, the upcards).
4. What comes of it: ``game`` (events to beliefs), ``referee`` (rulings, questions), ``words`` and ``announcing`` (what
   is said), ``view`` (what may leave), ``wire`` and ``protocol`` (JSON). ``telling`` makes events of a whole game;
   ``stats`` and ``bench`` measure.
"""
