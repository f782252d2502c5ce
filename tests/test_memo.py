import threading

from ragclean.memo import Memo


def test_computes_each_distinct_key_once_and_keeps_the_order():
    asked = []
    memo = Memo(10)

    def make(keys):
        asked.append(list(keys))
        return [k.upper() for k in keys]

    assert memo.fetch(["b", "a", "b"], make) == ["B", "A", "B"]
    assert memo.fetch(["a", "c"], make) == ["A", "C"]
    assert asked == [["b", "a"], ["c"]]


def test_is_bounded_and_forgets_the_least_recently_used():
    made = []
    memo = Memo(2)

    def make(keys):
        made.extend(keys)
        return list(keys)

    for keys in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        memo.fetch(keys, make)
        assert len(memo) <= 2
    assert made == ["a", "b", "c", "b"]


def test_a_call_larger_than_the_capacity_is_answered_whole():
    memo = Memo(3)
    assert memo.fetch(list(range(10)), lambda keys: [k * 2 for k in keys]) == [k * 2 for k in range(10)]
    assert len(memo) == 3


def test_threads_share_it():
    memo, wrong = Memo(50), []

    def work(seed):
        for i in range(300):
            keys = [(seed + i + j) % 120 for j in range(10)]
            if memo.fetch(keys, lambda missing: [k + 1 for k in missing]) != [k + 1 for k in keys]:
                wrong.append(keys)

    threads = [threading.Thread(target=work, args=(s,)) for s in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_sizes_are_counted_where_they_are_given():
    memo = Memo(10, size=len)
    for word in ("aaaa", "bbbb", "aaaa", "cc", "dddddd"):
        memo.fetch([word], lambda keys: [k.upper() for k in keys])
    made = []
    memo.fetch(["cc", "dddddd"], lambda keys: made.extend(keys) or list(keys))
    assert made == []
    memo.fetch(["x" * 11], lambda keys: list(keys))
    assert len(memo) == 0
