/**
 * A request schema with only the fields in `Needed` required. All other fields may be omitted or undefined, including
 * fields with a default.
 */
export type Input<Schema, Needed extends keyof Schema = never> = Pick<Schema, Needed> & {
  [Field in Exclude<keyof Schema, Needed>]?: Schema[Field] | undefined
}

/** Field groups to add to a record. */
export type Include<Group extends string> = readonly (Group | 'all')[]

/** A query whose `include` is a list. */
export type WithInclude<Query, Group extends string> = Omit<Query, 'include'> & { include?: Include<Group> | undefined }
