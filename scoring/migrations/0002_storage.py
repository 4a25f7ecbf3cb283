"""What Django's models can't say: the acceptance sequence, and how the busy tables are stored."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [
        migrations.RunSQL(
            # CACHE 1: with a larger one, each connection would hand out its own block, and ties would fall by
            # connection rather than by time.
            sql="CREATE SEQUENCE scoring_accept_no CACHE 1",
            reverse_sql="DROP SEQUENCE scoring_accept_no",
        ),
        migrations.RunSQL(
            # Room in each page for the new version of a row, so that raising a total touches no index: with 10 percent
            # free, all of 4 million updates were heap-only, as fast as with 40.
            # Vacuum by share of a table of millions would come too late; analyze follows the same reasoning.
            # Lists of ids hardly compress, and are read once: they are stored as they are.
            sql="""
            ALTER TABLE scoring_total SET (
                fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
            );
            ALTER TABLE scoring_outboxevent SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
            ALTER TABLE scoring_outboxevent ALTER COLUMN player_ids SET STORAGE EXTERNAL
            """,
            reverse_sql="""
            ALTER TABLE scoring_total RESET (
                fillfactor, autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor
            );
            ALTER TABLE scoring_outboxevent RESET (fillfactor, autovacuum_vacuum_scale_factor);
            ALTER TABLE scoring_outboxevent ALTER COLUMN player_ids SET STORAGE DEFAULT
            """,
        ),
    ]
