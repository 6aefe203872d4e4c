/** Test files that don't run on Citus, each with the reason. Paths below the folder of the project; a folder stands for its files. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'server/core/db/database.test.ts': 'sends statements and settings of plain PostgreSQL by connections of its own',
  'server/core/db/setup/embedded.test.ts': 'the embedded database is plain',
  'server/core/db/setup/prepare.test.ts': 'compares databases that it makes, on plain PostgreSQL',
  'server/core/db/setup/rehearsal.test.ts': 'tries migrations in one transaction, which Citus does not',
  'server/core/db/setup/migrations.test.ts': 'goes back to older states of a plain database',
  'server/core/db/schema.test.ts': 'asks the catalog of one server; there are tables and triggers of Citus in it',
  'server/core/db/walls.test.ts': 'logs in as on one server; server/test/citus/citus.test.ts proves the same',
  'server/core/db/wire': 'the driver, which is the same',
  'server/process/installation.test.ts': 'makes databases of its own on plain PostgreSQL',
  'server/process/roles.test.ts': 'makes databases of its own on plain PostgreSQL',
  'server/commands': 'makes databases of its own on plain PostgreSQL',
  'server/sandbox': 'the sandbox has the embedded database',
  'test/reliability': 'starts servers of its own on the embedded database',
}

/** The core part: the walls and isolation of all areas, stores and their copies, jobs and webhooks. */
export const CORE: readonly string[] = [
  'isolation.test.ts',
  'server/test/citus',
  'server/core/jobs',
  'server/doors/powers/copies.test.ts',
  'server/doors/webhooks/hooks',
  'server/doors/webhooks/queue',
  'server/stores/directory/directory.test.ts',
]
