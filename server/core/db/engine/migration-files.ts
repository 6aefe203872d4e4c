import { packagePath } from '../../package.ts'
import type { DatabasePart } from './engine.ts'

/** The folder with the migrations of a part of a database. */
export const migrations = (part: DatabasePart) => packagePath(`${part}Migrations`)
