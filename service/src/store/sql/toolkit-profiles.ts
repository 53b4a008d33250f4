import type { Kysely } from 'kysely';
import type { IconType, ToolkitCategory } from '#sdk/protocol/toolkit-profile';
import type { ToolkitProfileRecord, ToolkitProfileStore, ToolkitProfileSummary } from '../toolkit-profile-store';
import { inPieces } from './statements';
import type { Tables, ToolkitProfileRow } from './tables';

const SUMMARY = ['toolkit_id', 'icon_type', 'homepage', 'category', 'version', 'changed_at'] as const;

export class SqlToolkitProfiles implements ToolkitProfileStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async get(toolkitId: string): Promise<ToolkitProfileRecord | undefined> {
    const row = await this.#db.selectFrom('toolkit_profiles').selectAll().where('toolkit_id', '=', toolkitId).executeTakeFirst();
    if (!row) return undefined;
    const { readme, icon } = row;
    return { ...toSummary(row), ...(readme !== null && { readme }), ...(icon !== null && { icon }) };
  }

  async list(toolkitIds: readonly string[]): Promise<Map<string, ToolkitProfileSummary>> {
    const profiles = new Map<string, ToolkitProfileSummary>();
    for (const ids of inPieces(toolkitIds)) {
      const rows = await this.#db.selectFrom('toolkit_profiles').select(SUMMARY).where('toolkit_id', 'in', ids).execute();
      for (const row of rows) profiles.set(row.toolkit_id, toSummary(row));
    }
    return profiles;
  }

  async put({ toolkitId, readme, iconType, icon, homepage, category, version, changedAt }: ToolkitProfileRecord): Promise<void> {
    const columns = {
      readme: readme ?? null,
      icon_type: iconType ?? null,
      icon: icon ?? null,
      homepage: homepage ?? null,
      category: category ?? null,
      version: version ?? null,
      changed_at: changedAt,
    };
    await this.#db
      .insertInto('toolkit_profiles')
      .values({ toolkit_id: toolkitId, ...columns })
      .onConflict((conflict) => conflict.column('toolkit_id').doUpdateSet(columns))
      .execute();
  }
}

export function removeProfileOfToolkit(db: Kysely<Tables>, toolkitId: string) {
  return db.deleteFrom('toolkit_profiles').where('toolkit_id', '=', toolkitId);
}

function toSummary({ toolkit_id, icon_type, homepage, category, version, changed_at }: Pick<ToolkitProfileRow, (typeof SUMMARY)[number]>) {
  return {
    toolkitId: toolkit_id,
    ...(icon_type !== null && { iconType: icon_type as IconType }),
    ...(homepage !== null && { homepage }),
    ...(category !== null && { category: category as ToolkitCategory }),
    ...(version !== null && { version }),
    changedAt: Number(changed_at),
  };
}
