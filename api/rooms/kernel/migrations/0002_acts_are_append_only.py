"""What operators did is append-only, for everybody but the table's owner (threat 37)."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION refuse_to_change_acts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_catalog.pg_get_userbyid((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID)) <> current_user THEN
        RAISE EXCEPTION 'operators'' acts are append-only (%)', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER acts_rows BEFORE UPDATE OR DELETE ON kernel_operatoract
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_acts();
CREATE TRIGGER acts_table BEFORE TRUNCATE ON kernel_operatoract
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_acts();
"""
BACKWARD = """
DROP TRIGGER acts_table ON kernel_operatoract;
DROP TRIGGER acts_rows ON kernel_operatoract;
DROP FUNCTION refuse_to_change_acts();
"""


class Migration(migrations.Migration):
    dependencies = [("kernel", "0001_acts_and_chores")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
