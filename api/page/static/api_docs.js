// The document of the API, shown by Swagger UI, which stands in the page as a global.

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  validatorUrl: null, // would ask another host
});
