"""Changes of prices are append-only, for everybody but the table's owner (RN-056)."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION refuse_to_change_prices_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_catalog.pg_get_userbyid((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID)) <> current_user THEN
        RAISE EXCEPTION 'changes of prices are append-only (%)', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER price_change_rows BEFORE UPDATE OR DELETE ON gateway_pricechange
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_prices_past();
CREATE TRIGGER price_change_table BEFORE TRUNCATE ON gateway_pricechange
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_prices_past();
"""
BACKWARD = """
DROP TRIGGER price_change_table ON gateway_pricechange;
DROP TRIGGER price_change_rows ON gateway_pricechange;
DROP FUNCTION refuse_to_change_prices_past();
"""


class Migration(migrations.Migration):
    dependencies = [("gateway", "0002_catalogue")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
