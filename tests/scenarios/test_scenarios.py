"""Every scenario, three ways: as written, with each call failing in turn, and again without a write."""
from support import runner
from support.scenario import Scenario


def test_scenario(session, scenario_path, request):
    scenario = Scenario(scenario_path)
    runs = [runner.as_written(session, scenario)]
    try:
        session.settle()
        calls = len(session.calls(runs[0].namespace))
        if scenario.faults:
            runs += runner.with_faults(session, scenario, calls,
                                       request.config.getoption("--every-fault"))
        runner.without_writes(session, runs)
    finally:
        runner.clean_up(session, runs)
    session.operator.check()
