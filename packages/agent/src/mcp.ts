export { connectMcp, type McpConnection, type McpOptions } from './mcp/connect-mcp.ts';
export { type McpServer, readMcpServers } from './mcp/read-mcp-servers.ts';
