"""Every scenario, three ways: as written, with each call failing in turn, and again without a write."""
from support import runner
from support.scenario import Scenario


def test_scenario(session, scenario_path, request):
    scenario = Scenario(scenario_path)
    runs = [runner.as_written(session, scenario)]
    others = []
    try:
        session.settle(runs)
        calls = len(session.calls(runs[0].namespace))
        if scenario.faults:
            every = request.config.getoption("--every-fault")
            runs += runner.with_faults(session, scenario, calls, every)
            others = runner.with_faults_elsewhere(session, scenario, runs[0].namespace, every)
        runner.without_writes(session, runs)
        for run in others:  # what is tried again later may still be told in a status
            run.reach(scenario.then, scenario.absent)
    finally:
        runner.clean_up(session, runs + others)
    session.operator.check()
