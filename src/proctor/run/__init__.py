"""How episodes are carried out: plan, engine, many hosts, other simulators, Gymnasium, certificates."""
