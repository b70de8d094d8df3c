/** How the tables are stored that belong to no feature: the lock, the journal, the daemons that serve. */
import { sql } from 'kysely'

/**
 * Pinned, because the defaults of a server may be another engine, which a cluster does not replicate, or another character set.
 * SQLite reads comments only. MySQL and MariaDB each read the comment made for them.
 */
export const ownTableOptions = sql.raw(
  '/*! engine=InnoDB row_format=dynamic default character set utf8mb4 */ /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */',
)
