select count(* from edge_logs
