import { TableFrame, wide } from '../../ui/table-frame.tsx'
import type { Document, Operation, Schema } from './document.ts'
import { resolve, typeName } from './document.ts'

/** An operation's description, parameters and responses. */
export function OperationDetails({ document, operation }: { document: Document; operation: Operation }) {
  const { description, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content?.['application/json']?.schema
  const reply = responses['200']?.content?.['application/json']?.schema
  return (
    <>
      <p>{description}</p>
      {parameters.length > 0 && (
        <Fields
          label="Parameters"
          rows={parameters.map(({ name, required, description: meaning, schema }) => ({
            name,
            schema,
            isRequired: required === true,
            meaning: meaning ?? schema.description,
          }))}
        />
      )}
      {body && <Fields label={`Body: ${typeName(body)}`} rows={rowsOf(resolve(document, body))} />}
      {reply && <Fields label={`Response: ${typeName(reply)}`} rows={rowsOf(resolve(document, reply))} />}
      {reply && <Example schema={resolve(document, reply)} />}
      <p class="muted">
        Errors:{' '}
        {Object.keys(responses)
          .filter((status) => status !== '200')
          .join(', ') || 'none'}
        .
      </p>
    </>
  )
}

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
  meaning: string | undefined
}

const rowsOf = ({ properties = {}, required = [] }: Schema): Row[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    meaning: schema.description,
  }))

const Fields = ({ label, rows }: { label: string; rows: readonly Row[] }) =>
  rows.length === 0 ? null : (
    <TableFrame label={label} columns={[label, 'Type', wide('Meaning')]}>
      <tbody>
        {rows.map(({ name, schema, isRequired, meaning }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code> {isRequired && <span class="faint">required</span>}
            </th>
            <td>
              <code>{typeName(schema)}</code>
            </td>
            <td>
              {meaning}
              {schema.default !== undefined && <span class="muted"> Default: {JSON.stringify(schema.default)}.</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )

const Example = ({ schema: { examples } }: { schema: Schema }) =>
  examples?.[0] === undefined ? null : (
    <details>
      <summary>Example response</summary>
      <pre class="code">{JSON.stringify(examples[0], null, 2).slice(0, 10_000)}</pre>
    </details>
  )
