/**
 * The parts of the MCP SDK that talhouse uses. The package contains this file with the SDK bundled into it
 * (`scripts/build.ts`), because the SDK's packages would add 17 MB to an installation.
 */
// biome-ignore lint/performance/noBarrelFile: the build bundles the SDK into this file
export { toNodeHandler } from '@modelcontextprotocol/node'
export { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
