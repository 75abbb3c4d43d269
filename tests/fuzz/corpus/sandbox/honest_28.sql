select e.id from edge_logs as e left join function_logs as f using (id)
