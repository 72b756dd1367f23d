"""The log is append-only: a trigger refuses everybody but the table's owner, beside the grants."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION refuse_to_change_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_catalog.pg_get_userbyid((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID)) <> current_user THEN
        RAISE EXCEPTION 'the event log is append-only (%)', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER history_rows BEFORE UPDATE OR DELETE ON session_events
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_history();
CREATE TRIGGER history_table BEFORE TRUNCATE ON session_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_history();
"""
BACKWARD = """
DROP TRIGGER history_table ON session_events;
DROP TRIGGER history_rows ON session_events;
DROP FUNCTION refuse_to_change_history();
"""


class Migration(migrations.Migration):
    dependencies = [("agent_sessions", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
