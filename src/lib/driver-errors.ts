/** What errors of database drivers say; without imports of drivers, for processes that load none. */
import { isObject } from './objects.ts'

/** Reads a property of an error; drivers throw errors of many shapes. */
export const errorProperty = (error: unknown, name: string): unknown => (isObject(error) ? error[name] : undefined)

/** Whether an error has one of these values in a property. */
export const hasProperty = (error: unknown, name: string, values: readonly unknown[]): boolean =>
  isObject(error) && values.includes(error[name])

/** Access denied for a command, a table, a column, a database or without a privilege. */
const deniedNumbers = [1142, 1143, 1044, 1227, 1370]

export const isDenied = (error: unknown): boolean => hasProperty(error, 'errno', deniedNumbers)
