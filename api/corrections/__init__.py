"""What a person says of a reading: corrections as data, the report they give, and the questions to ask."""
