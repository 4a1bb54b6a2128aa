"""Both managers make the same objects of the same resources, but for what differences.yaml says."""
import json

import compare
import world as worlds


def run(world, operator, given, but=()):
    """What the operator makes of the cases on an empty cluster."""
    world.create(given)
    operator.start()
    try:
        world.settled(given, 90, but)
        return world.made(given)
    finally:
        operator.kill()


def all_differences(theirs, ours):
    for kind, name in sorted(theirs.keys() | ours.keys()):
        one, other = theirs.get((kind, name)), ours.get((kind, name))
        if one is None or other is None:
            yield kind, name, "(object)", one and "there", other and "there"
        else:
            for path, x, y in compare.differences(one, other):
                yield kind, name, path, x, y


def keep(path, made):
    path.write_text(json.dumps({" ".join(key): value for key, value in made.items()}, indent=1))


def test_same_objects(world, peer, windlass):
    given = worlds.cases(worlds.HERE / "cases")
    world.install(peer.crds)
    kubeconfig = world.bed.kubeconfig
    theirs = run(world, worlds.manager_of_peer(peer, kubeconfig, f"{world.directory}/peer.log"),
                 given, ["newer"])
    keep(world.directory / "theirs.json", theirs)
    world.wipe(given)
    world.install(worlds.OUR_CRDS)
    ours = run(world, worlds.manager_of_ours(windlass, kubeconfig, f"{world.directory}/ours.log"),
               given)
    keep(world.directory / "ours.json", ours)
    judge(list(all_differences(theirs, ours)))


def judge(found):
    table, used, unexplained = compare.rows(), set(), []
    for kind, name, path, x, y in found:
        row = compare.row_of(table, kind, name, path)
        if row is None:
            unexplained.append(f"{kind} {name}: {path}\n    there: {json.dumps(x)}\n"
                               f"    here:  {json.dumps(y)}")
        else:
            used.add(row)
    idle = [f"nothing needs the row {row}" for at, row in enumerate(table) if at not in used]
    assert not unexplained and not idle, "\n".join(
        [f"{len(unexplained)} differences without a reason:", *unexplained, *idle])


def test_docs_show_the_table():
    """docs/compatibility.md has the rows of differences.yaml."""
    text = compare.DOCS.read_text()
    shown = text.partition(compare.BEGIN)[2].partition(compare.END)[0].strip()
    wanted = compare.docs_table(compare.rows())
    assert shown == wanted, f"put this between the marks in {compare.DOCS}:\n{wanted}"
